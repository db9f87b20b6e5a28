import { allocate, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { sumKnown } from '@voisol/energy/series'
import type { Answer } from '../../../compute/task.ts'

/** The readings of a month and the keys of each method over it: in a thread it is computed in one go, which the kernel does best. */
export type MonthToTry = {
  steps: number
  producers: PointCurve[]
  consumers: PointCurve[]
  methods: KeySpan[][]
}
/** What was produced, and shared of it, without what batteries released. */
export type MonthTried = {
  produced: number
  shared: number
  consumed: number[]
  allocated: number[]
  steps: number
  excluded: number
}

const NOTHING = new Int32Array(0)

function tryMonth({ steps, producers, consumers }: MonthToTry, keys: KeySpan[]): MonthTried {
  const { consumed, allocated, produced, shared, counts } = allocate({ steps, producers, consumers, keys })
  const generated = (curves: Int32Array[]) =>
    producers.reduce((sum, { storage }, j) => (storage ? sum : sum + sumKnown(curves[j] ?? NOTHING)), 0)
  return {
    produced: generated(produced),
    shared: generated(shared),
    consumed: consumed.map(sumKnown),
    allocated: allocated.map(sumKnown),
    steps: counts.steps,
    excluded: counts.excluded,
  }
}

export default function compare(month: MonthToTry): Answer<MonthTried[]> {
  return { value: month.methods.map((spans) => tryMonth(month, spans)) }
}

import { allocateEnergy, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { sumKnown } from '@voisol/energy/series'
import type { TaskResult } from '../../../workers/task.ts'

/** The readings of a month and each method's keys over it, computed at once in a worker thread. */
export type CompareMonthInput = {
  steps: number
  producers: PointCurve[]
  consumers: PointCurve[]
  methods: KeySpan[][]
}
/** Energy produced and shared, without what batteries released. */
export type KeyMonthResult = {
  produced: number
  shared: number
  consumed: number[]
  allocated: number[]
  steps: number
  excluded: number
}

const EMPTY_CURVE = new Int32Array(0)

function allocateMonth({ steps, producers, consumers }: CompareMonthInput, keys: KeySpan[]): KeyMonthResult {
  const { consumed, allocated, produced, shared, counts } = allocateEnergy({ steps, producers, consumers, keys })
  const sumGeneration = (curves: Int32Array[]) =>
    producers.reduce((sum, { storage }, j) => (storage ? sum : sum + sumKnown(curves[j] ?? EMPTY_CURVE)), 0)
  return {
    produced: sumGeneration(produced),
    shared: sumGeneration(shared),
    consumed: consumed.map(sumKnown),
    allocated: allocated.map(sumKnown),
    steps: counts.steps,
    excluded: counts.excluded,
  }
}

export default function compareKeysTask(month: CompareMonthInput): TaskResult<KeyMonthResult[]> {
  return { value: month.methods.map((spans) => allocateMonth(month, spans)) }
}

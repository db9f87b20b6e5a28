import { allocate, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { sumKnown } from '@voisol/energy/series'
import { sliceCurves, sliceSpans } from '@voisol/energy/slices'
import type { Answer } from '../../../compute/task.ts'

/** The readings of a month, its steps in pieces that are computed in one go, and the keys of each method over it. */
export type MonthToTry = {
  pieces: [number, number][]
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

const addTo = (sums: number[], curves: Int32Array[]) => {
  for (const [i, values] of curves.entries()) sums[i] = (sums[i] ?? 0) + sumKnown(values)
}

const NOTHING = new Int32Array(0)

function tryMonth({ pieces, producers, consumers }: MonthToTry, spans: KeySpan[]): MonthTried {
  const none = () => consumers.map(() => 0)
  const sums: MonthTried = { produced: 0, shared: 0, consumed: none(), allocated: none(), steps: 0, excluded: 0 }
  for (const [from, to] of pieces) {
    const { consumed, allocated, produced, shared, counts } = allocate({
      steps: to - from,
      producers: sliceCurves(producers, from, to),
      consumers: sliceCurves(consumers, from, to),
      keys: sliceSpans(spans, from, to),
    })
    for (const [j, { storage }] of producers.entries()) {
      if (storage) continue
      sums.produced += sumKnown(produced[j] ?? NOTHING)
      sums.shared += sumKnown(shared[j] ?? NOTHING)
    }
    addTo(sums.consumed, consumed)
    addTo(sums.allocated, allocated)
    sums.steps += counts.steps
    sums.excluded += counts.excluded
  }
  return sums
}

export default function compare(month: MonthToTry): Answer<MonthTried[]> {
  return { value: month.methods.map((spans) => tryMonth(month, spans)) }
}

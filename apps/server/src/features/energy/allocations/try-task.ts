import type { Answer } from '../../../compute/task.ts'
import { type Curves, computeDays, emptySums, type Setting } from './compute-days.ts'
import { pairsOf } from './pair-rows.ts'
import type { DailyPair } from './rows.ts'

/** The readings and keys of a month, and its days in groups that are computed in one go; `pairs` where bills rest on it. */
export type MonthToCompute = Curves & { setting: Setting; pieces: string[][]; origin: number; pairs: boolean }
/** What a run would store of a point's day, without its steps. */
export type TriedDay = { day: string; pointId: string; total: number; local: number; excluded: number; steps: number }
export type Tried = { days: TriedDay[]; pairs: DailyPair[] }

const idsOf = (curves: Curves['producers']) => curves.map(({ id }) => id)

export default function computeMonth({ setting, pieces, origin, pairs, ...curves }: MonthToCompute): Answer<Tried> {
  const sums = emptySums(curves.producers.length, curves.consumers.length, pieces[0]?.[0] ?? '2000-01-01')
  const days = pieces.flatMap((part) =>
    computeDays(setting, curves, { days: part, origin }, sums).days.map(({ allocated, ...row }) => ({
      ...row,
      steps: allocated.length,
    })),
  )
  const ids = { producers: idsOf(curves.producers), consumers: idsOf(curves.consumers) }
  return { value: { days, pairs: pairs ? pairsOf(ids, sums) : [] } }
}

import type { TaskResult } from '../../../workers/task.ts'
import { allocateDays, type ComputeSettings, createMonthSums, type MonthCurves, toDailyPairs } from './allocate-days.ts'
import type { DailyPair } from './result-rows.ts'

/** The readings and keys of a month, and its days in groups computed at once; with `pairs` for billing amounts. */
export type TrialMonthInput = MonthCurves & {
  setting: ComputeSettings
  pieces: string[][]
  origin: number
  pairs: boolean
}
/** What a run would store for a point's day, without its steps. */
export type TrialDay = { day: string; pointId: string; total: number; local: number; excluded: number; steps: number }
export type TrialResult = { days: TrialDay[]; pairs: DailyPair[] }

const listIds = (curves: MonthCurves['producers']) => curves.map(({ id }) => id)

export default function computeTrialMonth({
  setting,
  pieces,
  origin,
  pairs,
  ...curves
}: TrialMonthInput): TaskResult<TrialResult> {
  const sums = createMonthSums(curves.producers.length, curves.consumers.length, pieces[0]?.[0] ?? '2000-01-01')
  const days = pieces.flatMap((part) =>
    allocateDays(setting, curves, { days: part, origin }, sums).days.map(({ allocated, ...row }) => ({
      ...row,
      steps: allocated.length,
    })),
  )
  const ids = { producers: listIds(curves.producers), consumers: listIds(curves.consumers) }
  return { value: { days, pairs: pairs ? toDailyPairs(ids, sums) : [] } }
}

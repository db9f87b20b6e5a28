import type { MonthInput } from '@voisol/money/input'
import { computeDailyWh } from '@voisol/money/line-breakdown'
import { type MonthOutcome, recomputeMonth } from '@voisol/money/month'
import type { TaskResult } from '../../../workers/task.ts'

type RecomputeMonthInput = { before: { input: MonthInput; units: [string, number][] }; now: MonthInput }
type RecomputeMonthResult = { outcome: MonthOutcome; daily: Map<string, number[]> }

/** Recomputes a billed month with today's data: a member without changes keeps its units. */
export default function recomputeMonthTask({ before, now }: RecomputeMonthInput): TaskResult<RecomputeMonthResult> {
  const outcome = recomputeMonth({ input: before.input, units: new Map(before.units) }, now)
  return { value: { outcome, daily: outcome.ok ? computeDailyWh(now, outcome.month.units) : new Map() } }
}

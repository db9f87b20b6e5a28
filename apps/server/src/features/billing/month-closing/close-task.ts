import type { MonthInput } from '@voisol/money/input'
import { computeDailyWh } from '@voisol/money/line-breakdown'
import { computeMonthOutcome, type MonthOutcome } from '@voisol/money/month'
import type { TaskResult } from '../../../workers/task.ts'

/** Documents, units and notices, or the blocking issues; with the watt-hours of each member's days. */
export type ComputedMonth = { outcome: MonthOutcome; daily: Map<string, number[]> }

export default function computeMonthTask(input: MonthInput): TaskResult<ComputedMonth> {
  const outcome = computeMonthOutcome(input)
  return { value: { outcome, daily: outcome.ok ? computeDailyWh(input, outcome.month.units) : new Map() } }
}

import { dailyWh } from '@voisol/money/daily'
import type { MonthInput } from '@voisol/money/input'
import { closeMonth, type MonthOutcome } from '@voisol/money/month'
import type { Answer } from '../../../compute/task.ts'

/** Documents, units and notices, or what stands in the way; with the watt-hours of each member's days. */
export type ComputedMonth = { outcome: MonthOutcome; daily: Map<string, number[]> }

export default function computeMonth(input: MonthInput): Answer<ComputedMonth> {
  const outcome = closeMonth(input)
  return { value: { outcome, daily: outcome.ok ? dailyWh(input, outcome.month.units) : new Map() } }
}

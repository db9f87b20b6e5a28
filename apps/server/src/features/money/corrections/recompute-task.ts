import { dailyWh } from '@voisol/money/daily'
import type { MonthInput } from '@voisol/money/input'
import type { MonthOutcome } from '@voisol/money/month'
import { recomputeMonth } from '@voisol/money/recompute'
import type { Answer } from '../../../compute/task.ts'

type Asked = { before: { input: MonthInput; units: [string, number][] }; now: MonthInput }
export type Recomputed = { outcome: MonthOutcome; daily: Map<string, number[]> }

/** A billed month with today's data: whom nothing concerns keeps its units. */
export default function recompute({ before, now }: Asked): Answer<Recomputed> {
  const outcome = recomputeMonth({ input: before.input, units: new Map(before.units) }, now)
  return { value: { outcome, daily: outcome.ok ? dailyWh(now, outcome.month.units) : new Map() } }
}

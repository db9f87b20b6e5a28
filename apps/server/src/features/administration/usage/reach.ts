import { addMonthsToDay } from '@voisol/money/prorata'
import type { MonthUsage } from './months.ts'

/** A trend of three months says nothing about a more distant future. */
const MAX_MONTHS_AHEAD = 24

/**
 * The month in which a limit will be reached at the pace of the last three whole months; null without growth, or when
 * it is too far.
 */
export function predictLimitMonth(months: readonly MonthUsage[], used: number, limit: number | null): string | null {
  const running = months.at(-1)
  const [before, last] = [months.at(-5), months.at(-2)]
  if (limit === null || used >= limit || !running || !before || !last || before.value === 0) return null
  const grown = last.value - before.value
  if (grown <= 0) return null
  const needed = Math.ceil(((limit - used) * 3) / grown)
  return needed > MAX_MONTHS_AHEAD ? null : addMonthsToDay(running.month, needed)
}

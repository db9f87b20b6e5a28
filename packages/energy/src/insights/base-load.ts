import { computeMedian, computeQuantile, computeRobustSpread } from '../forecast/quantile.ts'
import { clamp, type InsightFinding } from './finding.ts'

/** Per day, for at most a year: mean of the three lowest hours in watts (NaN unknown) and degree-days below 16 °C. */
type BaseLoadDays = { low: ArrayLike<number>; cold: ArrayLike<number> }
type BaseLoadFinding = InsightFinding<
  'base-load',
  { step: number; usual: number; slope: number /** Heated: only to be looked into. */; heated: boolean; yearWh: number }
>

const RECENT_DAYS = 10
const [OLDEST, NEWEST] = [69, 14]
const MIN_DAYS = 30
const MIN_STEP_WATTS = 80
const MIN_RATIO = 1.4
const MIN_HEATED_SLOPE = 15

/** Mean of the three lowest hours of a day, NaN where fewer than 22 of its hours are known. */
export function averageLowestHours(hours: ArrayLike<number>): number {
  const known = Float64Array.from(hours).filter((value) => value >= 0)
  if (known.length < 22) return Number.NaN
  known.sort()
  return ((known[0] ?? 0) + (known[1] ?? 0) + (known[2] ?? 0)) / 3
}

/** Watts per degree-day, never below zero. */
function computeSlope(low: number[], cold: number[]): number {
  const [ml, mc] = [low, cold].map((all) => all.reduce((sum, value) => sum + value, 0) / all.length) as [number, number] // two given
  const [up, down] = low.reduce(
    ([a, b], value, i) => {
      const off = (cold[i] ?? 0) - mc
      return [a + off * (value - ml), b + off * off]
    },
    [0, 0],
  )
  return down > 1 ? Math.max(0, up / down) : 0
}

/**
 * The floor of consumption has been higher for ten days and the weather does not explain it. Judged on the last of the
 * given days.
 */
export function detectBaseLoadRise({ low, cold }: BaseLoadDays): BaseLoadFinding | null {
  const end = low.length
  const days = Array.from({ length: end }, (_, day) => day).filter(
    (day) => Number.isFinite(low[day]) && Number.isFinite(cold[day]),
  )
  // Last winter tells whether the floor follows the cold: without it, every autumn would be colder than any day seen.
  const seen = days.filter((day) => day <= end - NEWEST)
  const past = seen.filter((day) => day >= end - OLDEST)
  const recent = days.filter((day) => day >= end - RECENT_DAYS)
  if (past.length < MIN_DAYS || recent.length < RECENT_DAYS - 1) return null
  const at = (all: ArrayLike<number>) => (day: number) => all[day] ?? 0
  const slope = computeSlope(seen.map(at(low)), seen.map(at(cold)))
  const bare = (day: number) => at(low)(day) - slope * at(cold)(day)
  const before = past.map(bare)
  const usual = computeMedian(before)
  const now = Float64Array.from(recent, bare).sort()
  const second = now[1] ?? 0
  const threshold = usual + Math.max(MIN_STEP_WATTS, 4 * computeRobustSpread(before))
  const coldest = computeQuantile(Float64Array.from(seen, at(cold)), 1)
  const isColder = recent.some((day) => at(cold)(day) > coldest)
  const isHeating = slope > MIN_HEATED_SLOPE && recent.some((day) => at(cold)(day) > 3)
  if (second <= threshold || second <= MIN_RATIO * usual || isColder || isHeating) return null
  const step = computeMedian(now) - usual
  const confidence = clamp(0.5 + (second - threshold) / (2 * threshold), 0.5, 0.9)
  const evidence = { step, usual, slope, heated: slope > MIN_HEATED_SLOPE / 3, yearWh: step * 8760 }
  return { rule: 'base-load', statistic: second, threshold, confidence, evidence }
}

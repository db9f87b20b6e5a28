import { dayOf, daysBetween } from '../calendar/calendar.ts'
import { MISSING, type PowerSeries } from '../series/series.ts'
import { type DayKind, getDayKind } from './day-kinds.ts'
import { buildLoadDays, getSlot, type LoadDay } from './load-days.ts'
import { computePredictiveQuantile } from './quantile.ts'
import type { ForecastRequest, PowerForecast } from './types.ts'

const PROFILE_DAYS = 28
/** Days to read: those of the profile, and as many before them to compute its past errors. */
const READ_DAYS = 2 * PROFILE_DAYS + 2
/** Weight of a day by its age. */
const DAY_WEIGHTS = Float64Array.from({ length: READ_DAYS + 1 }, (_, age) => 0.9 ** age)
/** Days of history needed before a day for its past error to be computed. */
const MIN_DAYS_BEFORE = 7

const toDayNumber = (day: string) => daysBetween('1970-01-01', day)

/**
 * Mean of days of the same kind over four weeks, recent days weighing more; of all days where that kind does not occur.
 */
export function computeProfileAt(days: LoadDay[], slot: number, kind: DayKind, last: number): number {
  const mean = (only: boolean): number => {
    let [sum, weights] = [0, 0]
    for (const { number, kind: own, watts } of days) {
      const age = last - number
      const value = watts[slot] ?? Number.NaN
      if (age < 0 || age >= PROFILE_DAYS || (only && own !== kind) || Number.isNaN(value)) continue
      const weight = DAY_WEIGHTS[age] ?? 0
      sum += weight * value
      weights += weight
    }
    return weights > 0 ? sum / weights : Number.NaN
  }
  const same = mean(true)
  return Number.isNaN(same) ? mean(false) : same
}

/** Errors of the same method on the past days at a time of day, with the same lead: measured less forecast. */
function computeErrorsAt(days: LoadDay[], slot: number, last: number, lead: number): Float64Array {
  const first = days.reduce((least, { number }) => Math.min(least, number), last)
  const errors = days
    .filter(({ number }) => number - lead - first >= MIN_DAYS_BEFORE && number > last - PROFILE_DAYS)
    .map(({ number, kind, watts }) => {
      return (watts[slot] ?? Number.NaN) - computeProfileAt(days, slot, kind, number - 1 - lead)
    })
  return Float64Array.from(errors.filter((error) => !Number.isNaN(error))).sort()
}

/**
 * Consumption from the profile of similar days. The middle level is that profile, the others come from past errors at
 * that time of day and that many days ahead; -1 where nothing was ever measured. With too few errors all levels equal
 * the middle.
 */
export function forecastLoad(
  ask: ForecastRequest,
  recent: PowerSeries,
  levels: number[] = [0.1, 0.5, 0.9],
): PowerForecast {
  const { startsAt, step, steps } = ask
  const today = toDayNumber(dayOf(ask.issuedAt))
  const days = buildLoadDays(recent, step, ask.issuedAt - READ_DAYS * 1440, ask.issuedAt).filter(
    ({ number }) => number < today,
  )
  const last = days.reduce(
    (latest, { number, watts }) => (watts.some((v) => v >= 0) ? Math.max(latest, number) : latest),
    0,
  )
  const seen = new Map<number, Float64Array>()
  const errorsOf = (slot: number, lead: number) => {
    const key = lead * 1440 + slot
    const known = seen.get(key) ?? computeErrorsAt(days, slot, last, lead)
    seen.set(key, known)
    return known
  }
  const values = levels.map(() => new Int32Array(steps))
  for (let at = 0; at < steps; at++) {
    const minute = startsAt + at * step
    const slot = getSlot(minute, step)
    const lead = Math.max(0, toDayNumber(dayOf(minute)) - last - 1)
    const said = computeBandAround(computeProfileAt(days, slot, getDayKind(minute), last), errorsOf(slot, lead), levels)
    for (const [order, level] of values.entries()) level[at] = said[order] ?? MISSING
  }
  return { startsAt, step, levels, values, source: Array.from({ length: steps }, () => 'history') }
}

function computeBandAround(middle: number, errors: Float64Array, levels: number[]): number[] {
  if (Number.isNaN(middle)) return levels.map(() => MISSING)
  return levels.map((level) => {
    if (level === 0.5) return Math.round(middle)
    const error = computePredictiveQuantile(errors, level)
    if (Number.isNaN(error)) return MISSING
    return Math.max(0, Math.round(middle + (level < 0.5 ? Math.min(0, error) : Math.max(0, error))))
  })
}

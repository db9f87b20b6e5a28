import { dayOf, localTime } from '../calendar/calendar.ts'
import { MISSING, type Step } from '../series/series.ts'
import { computePredictiveQuantile } from './quantile.ts'
import type { PowerForecast } from './types.ts'

/** Production less consumption, in watts, as forecast and as measured; NaN where unknown. */
export type NetForecastOutcome = { startsAt: number; step: Step; said: ArrayLike<number>; measured: ArrayLike<number> }
/** `chance` of a surplus at each step; null where too few forecasts were scored. */
type SurplusForecast = PowerForecast & { chance: (number | null)[] }

/** Scored steps that an hour of the day needs to be used alone. */
const MIN_SCORED_STEPS = 14

const getHourOfDay = (minute: number) => Math.floor(localTime(minute).minuteOfDay / 60)

const DAY = 1440
/** Errors of the scored forecasts: per day ahead, then per hour of the day. */
type ErrorsByLeadAndHour = number[][][]

function collectErrors(past: NetForecastOutcome[]): ErrorsByLeadAndHour {
  const errors: ErrorsByLeadAndHour = []
  for (const { startsAt, step, said, measured } of past)
    for (let at = 0; at < measured.length; at++) {
      const error = (measured[at] ?? Number.NaN) - (said[at] ?? Number.NaN)
      if (Number.isNaN(error)) continue
      const lead = Math.floor((at * step) / DAY)
      errors[lead] ??= Array.from({ length: 24 }, () => [])
      errors[lead][getHourOfDay(startsAt + at * step)]?.push(error)
    }
  return errors
}

/**
 * Errors of the hour for that lead; with too few of them those of every lead, then of the hours around, at most two
 * hours away.
 */
function getErrorsAt(errors: ErrorsByLeadAndHour, lead: number, hour: number): Float64Array {
  const own = errors[lead]?.[hour] ?? []
  if (own.length >= MIN_SCORED_STEPS) return Float64Array.from(own).sort()
  for (let reach = 0; reach <= 2; reach++) {
    const near = errors.flatMap((hours) => hours.filter((_, other) => Math.abs(other - hour) <= reach).flat())
    if (near.length >= MIN_SCORED_STEPS) return Float64Array.from(near).sort()
  }
  return new Float64Array(0)
}

const getMiddle = ({ levels, values }: PowerForecast, at: number): number => {
  const order = levels.reduce(
    (best, level, i) => (Math.abs(level - 0.5) < Math.abs((levels[best] ?? 0) - 0.5) ? i : best),
    0,
  )
  return values[order]?.[at] ?? -1
}

/**
 * Production less consumption. Quantiles do not add: the band comes from past errors of the difference at that hour of
 * the day and that many days ahead. Without enough of them there is only the middle and no chance.
 */
export function forecastSurplus(
  production: PowerForecast,
  consumption: PowerForecast,
  past: NetForecastOutcome[],
): SurplusForecast {
  const { startsAt, step, levels, source } = production
  const errors = collectErrors(past)
  const found = new Map<number, Float64Array>()
  const knownAt = (at: number) => {
    const [lead, hour] = [Math.floor((at * step) / DAY), getHourOfDay(startsAt + at * step)]
    const known = found.get(lead * 24 + hour) ?? getErrorsAt(errors, lead, hour)
    found.set(lead * 24 + hour, known)
    return known
  }
  const values = levels.map(() => new Int32Array(source.length))
  const chance: (number | null)[] = []
  for (let at = 0; at < source.length; at++) {
    const [made, used] = [getMiddle(production, at), getMiddle(consumption, at)]
    const known = knownAt(at)
    const unknown = made < 0 || used < 0
    const said = unknown ? levels.map(() => -1) : computeSurplusBand(made - used, known, levels)
    for (const [order, level] of values.entries()) level[at] = said[order] ?? -1
    chance.push(unknown || known.length === 0 ? null : computeChance(made, made - used, known))
  }
  return { startsAt, step, levels, values, source, chance }
}

function computeSurplusBand(net: number, errors: Float64Array, levels: number[]): number[] {
  const middle = Math.max(0, Math.round(net))
  return levels.map((level) => {
    if (level === 0.5) return middle
    const error = computePredictiveQuantile(errors, level)
    if (Number.isNaN(error)) return MISSING
    const value = Math.max(0, Math.round(net + error))
    return level < 0.5 ? Math.min(middle, value) : Math.max(middle, value)
  })
}

/** Without production there is no surplus, whatever the errors by day. */
function computeChance(made: number, net: number, errors: Float64Array): number {
  if (made === 0) return 0
  return errors.filter((error) => net + error > 0).length / errors.length
}

/** The hours in which running an appliance costs the least, in epoch minutes; `chance` is the lowest of its steps. */
export type BestHours = { from: number; to: number; chance: number; wattHours: number }

const MIN_CHANCE = 0.8
const MIN_WINDOW_MINUTES = 120
const MAX_WINDOW_MINUTES = 240

function evaluateWindow(surplus: SurplusForecast, first: number, width: number): BestHours | null {
  const { startsAt, step, levels, values, chance } = surplus
  const middle = values[Math.max(0, levels.indexOf(0.5))]
  let [least, wattHours] = [1, 0]
  for (let at = first; at < first + width / step; at++) {
    const sure = chance[at]
    if (sure === null || sure === undefined || sure < MIN_CHANCE) return null
    least = Math.min(least, sure)
    wattHours += ((middle?.[at] ?? 0) * step) / 60
  }
  const from = startsAt + first * step
  return dayOf(from) === dayOf(from + width - 1) ? { from, to: from + width, chance: least, wattHours } : null
}

/**
 * The longest period of a day, from two to four hours, whose chance is high enough; among equals the one with the most
 * surplus. Null: none.
 */
export function findBestHours(surplus: SurplusForecast, day: string): BestHours | null {
  const { startsAt, step, chance } = surplus
  for (let width = MAX_WINDOW_MINUTES; width >= MIN_WINDOW_MINUTES; width -= 60) {
    let best: BestHours | null = null
    for (let first = 0; first + width / step <= chance.length; first++) {
      if (dayOf(startsAt + first * step) !== day) continue
      const found = evaluateWindow(surplus, first, width)
      if (found && (!best || found.wattHours > best.wattHours)) best = found
    }
    if (best) return best
  }
  return null
}

/** Part of the announced steps that really had a surplus; null where none was measured. */
export function computeHitRate(
  announced: BestHours[],
  measured: { startsAt: number; step: number; watts: ArrayLike<number> },
) {
  let [hits, steps] = [0, 0]
  for (const { from, to } of announced)
    for (let minute = from; minute < to; minute += measured.step) {
      const watts = measured.watts[Math.floor((minute - measured.startsAt) / measured.step)]
      if (watts === undefined || Number.isNaN(watts) || watts < 0) continue
      steps++
      if (watts > 0) hits++
    }
  return steps > 0 ? { rate: hits / steps, steps } : null
}

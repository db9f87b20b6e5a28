import { type Day, dayOf, daysBetween, holidays, localTime } from '../calendar/calendar.ts'
import { MISSING, type PowerSeries, type Step } from '../series/series.ts'
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
function computeProfileAt(days: LoadDay[], slot: number, kind: DayKind, last: number): number {
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

/** A local day by the wall clock: mean watts of each step, NaN where unknown; an hour that occurs twice is averaged. */
type LoadDay = { day: string; number: number; kind: DayKind; watts: Float64Array }

/** Mean watts over [minute, minute + step); NaN where any part is unknown. */
function averageWatts({ startsAt, step, watts }: PowerSeries, minute: number, width: number): number {
  let sum = 0
  for (let at = minute; at < minute + width; ) {
    const place = Math.floor((at - startsAt) / step)
    const end = Math.min(minute + width, startsAt + (place + 1) * step)
    const value = watts[place] ?? -1
    if (value < 0) return Number.NaN
    sum += value * (end - at)
    at = end
  }
  return sum / width
}

const getSlot = (minute: number, step: Step): number => Math.floor(localTime(minute).minuteOfDay / step)

/** Days of the wall clock between two instants, as far as the series reaches. */
function buildLoadDays(series: PowerSeries, step: Step, from: number, to: number): LoadDay[] {
  const days = new Map<string, LoadDay & { counts: Uint8Array }>()
  const first = Math.max(from, Math.ceil(series.startsAt / step) * step)
  const last = Math.min(to, series.startsAt + series.watts.length * series.step)
  for (let minute = first; minute + step <= last; minute += step) {
    const day = dayOf(minute)
    const known = days.get(day) ?? createEmptyDay(day, minute, step)
    days.set(day, known)
    const value = averageWatts(series, minute, step)
    if (Number.isNaN(value)) continue
    const slot = getSlot(minute, step)
    const count = known.counts[slot] ?? 0
    known.watts[slot] = count === 0 ? value : ((known.watts[slot] ?? 0) * count + value) / (count + 1)
    known.counts[slot] = count + 1
  }
  return [...days.values()]
}

function createEmptyDay(day: string, minute: number, step: Step): LoadDay & { counts: Uint8Array } {
  const slots = 1440 / step
  const number = daysBetween('1970-01-01', day)
  const watts = new Float64Array(slots).fill(Number.NaN)
  return { day, number, kind: getDayKind(minute), watts, counts: new Uint8Array(slots) }
}

const DAY_KINDS = ['work', 'saturday', 'rest'] as const
/** Habits follow the wall clock of Europe/Paris: working day, Saturday, Sunday or public holiday. */
type DayKind = (typeof DAY_KINDS)[number]

const years = new Map<number, Set<Day>>()

function isHoliday(day: Day): boolean {
  const year = Number(day.slice(0, 4))
  const known = years.get(year) ?? new Set(holidays(year))
  years.set(year, known)
  return known.has(day)
}

export function getDayKind(minute: number): DayKind {
  const { weekday } = localTime(minute)
  if (weekday === 7 || isHoliday(dayOf(minute))) return 'rest'
  return weekday === 6 ? 'saturday' : 'work'
}

const DAY_MINUTES = 1440
/** Older values are too old to repeat. */
const MAX_PERSISTENCE_DAYS = 14

/** The last known value of the same time of day: what a forecast must beat. -1 where no recent one is known. */
export function computePersistence(
  { issuedAt, startsAt, steps, step }: ForecastRequest,
  recent: PowerSeries,
): Int32Array {
  const known = Math.min(issuedAt, recent.startsAt + recent.watts.length * recent.step)
  return Int32Array.from({ length: steps }, (_, at) => {
    const minute = startsAt + at * step
    const back = Math.max(1, Math.ceil((minute + step - known) / DAY_MINUTES))
    for (let days = back; days < back + MAX_PERSISTENCE_DAYS; days++) {
      const watts = averageWatts(recent, minute - days * DAY_MINUTES, step)
      if (!Number.isNaN(watts)) return Math.round(watts)
    }
    return MISSING
  })
}

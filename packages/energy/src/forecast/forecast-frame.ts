import { toCivilDate, toEpochDay } from '../calendar/civil.ts'
import type { Coordinates } from '../model/climate.ts'
import { computeLight, type SunLight } from './clear-sky-light.ts'
import type { HourlySeries } from './hourly-series.ts'
import { computeQuantile } from './quantile.ts'
import { getDayOfHour, HOUR_MINUTES, type IssuedWeather } from './types.ts'

/** Whole days of UTC hours: measures (as a part of the peak power), the sun, the envelope and the sums of each day. */
export type ForecastFrame = {
  firstDay: number
  days: number
  y: Float64Array
  light: SunLight
  envelope: Float64Array
  /** Sums over the hours of a day that are known. */
  measured: Float64Array
  possible: Float64Array
}

type FrameBounds = { firstDay: number; days: number }

export const getFrameBounds = ({ first, watts }: HourlySeries): FrameBounds => {
  const firstDay = Math.floor(first / 24)
  return { firstDay, days: Math.max(0, Math.ceil((first + watts.length) / 24) - firstDay) }
}

/** Puts hours on whole days, as parts of the peak power. */
export function layOutHours(
  { first, watts }: HourlySeries,
  { firstDay, days }: FrameBounds,
  peakWatts: number,
): Float64Array {
  const y = new Float64Array(days * 24).fill(Number.NaN)
  for (let at = 0; at < watts.length; at++) {
    const place = first + at - firstDay * 24
    if (place >= 0 && place < y.length) y[place] = (watts[at] ?? Number.NaN) / peakWatts
  }
  return y
}

export function buildFrame(
  y: Float64Array,
  bounds: FrameBounds,
  place: Coordinates,
  table: number[],
  known?: SunLight,
): ForecastFrame {
  const { firstDay, days } = bounds
  const light = known ?? computeLight(place, firstDay * 24, days * 24)
  const envelope = Float64Array.from(y, (_, at) => getEnvelopeAt(table, firstDay * 24 + at, light.brightest[at] ?? 0))
  const measured = new Float64Array(days)
  const possible = new Float64Array(days)
  for (let at = 0; at < y.length; at++) {
    const value = y[at] ?? Number.NaN
    if (Number.isNaN(value) || (light.level[at] ?? 0) <= 0) continue
    const day = Math.floor(at / 24)
    measured[day] = (measured[day] ?? 0) + value
    possible[day] = (possible[day] ?? 0) + (envelope[at] ?? 0)
  }
  return { firstDay, days, y, light, envelope, measured, possible }
}

/** A weather run by hour: NaN where it has no value. */
export type HourlyWeather = {
  issuedDay: number
  first: number
  count: number
  at: (name: string, hour: number) => number
}

export function toHourlyWeather({ issuedAt, startsAt, values }: IssuedWeather): HourlyWeather {
  const first = Math.ceil(startsAt / HOUR_MINUTES)
  const at = (name: string, hour: number): number => {
    const value = values[name]?.[hour - first]
    return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
  }
  return { issuedDay: Math.floor(issuedAt / 1440), first, count: values.ghi?.length ?? 0, at }
}

/** Fields of the runs other than the light itself. */
export const listWeatherFields = (runs: IssuedWeather[]): string[] =>
  [...new Set(runs.flatMap(({ values }) => Object.keys(values)))]
    .filter((name) => name !== 'ghi' && name !== 'dhi')
    .sort()

const DAYS = 366
const WINDOW_DAYS = 12
const ENVELOPE_LEVEL = 0.95
/** A season with fewer values than this is ignored. */
const MIN_VALUES = 5
/** With less light than this, in W/m², the quotient is noise. */
const MIN_LIGHT = 10

function getDayOfYear(day: number): number {
  return day - toEpochDay(toCivilDate(day).year, 1, 1)
}

const getEnvelopeSlot = (hour: number) => getDayOfYear(getDayOfHour(hour)) * 24 + (((hour % 24) + 24) % 24)
const computeMean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const roundToFiveDigits = (value: number) => Number(value.toPrecision(5))

/**
 * The 95 % quantile of output by cloudless light, per day of the year and hour; a season without data takes the mean of
 * the hour.
 */
export function computeEnvelope(first: number, y: Float64Array, brightest: Float64Array): number[] {
  const ratios: number[][] = Array.from({ length: DAYS * 24 }, () => [])
  for (let at = 0; at < y.length; at++) {
    const light = brightest[at] ?? 0
    const value = y[at] ?? Number.NaN
    if (light >= MIN_LIGHT && !Number.isNaN(value)) ratios[getEnvelopeSlot(first + at)]?.push((value / light) * 1000)
  }
  const envelope = ratios.map((_, place) => computeQuantileAround(ratios, Math.floor(place / 24), place % 24))
  const hours = Array.from({ length: 24 }, (_, hour) => envelope.filter((v, i) => i % 24 === hour && !Number.isNaN(v)))
  const all = hours.flat()
  const whole = all.length > 0 ? computeMean(all) : 0
  return envelope.map((value, place) => {
    if (!Number.isNaN(value)) return roundToFiveDigits(value)
    const same = hours[place % 24] ?? []
    return roundToFiveDigits(same.length > 0 ? computeMean(same) : whole)
  })
}

function computeQuantileAround(ratios: number[][], day: number, hour: number): number {
  const near: number[] = []
  for (let off = -WINDOW_DAYS; off <= WINDOW_DAYS; off++) {
    const values = ratios[((day + off + DAYS) % DAYS) * 24 + hour] ?? []
    for (const value of values) near.push(value)
  }
  return near.length < MIN_VALUES ? Number.NaN : computeQuantile(Float64Array.from(near), ENVELOPE_LEVEL)
}

/** Largest output expected in an hour, as a part of the peak power. */
const getEnvelopeAt = (envelope: number[], hour: number, brightest: number): number =>
  ((envelope[getEnvelopeSlot(hour)] ?? 0) * brightest) / 1000

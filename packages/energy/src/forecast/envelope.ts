import { toCivilDate, toEpochDay } from '../calendar/civil.ts'
import { computeQuantile } from './quantile.ts'
import { getDayOfHour } from './types.ts'

const DAYS = 366
const WINDOW_DAYS = 12
const ENVELOPE_LEVEL = 0.95
/** A season with fewer values than this is ignored. */
const MIN_VALUES = 5
/** With less light than this, in W/m², the quotient is noise. */
const MIN_LIGHT = 10

export function getDayOfYear(day: number): number {
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
export const getEnvelopeAt = (envelope: number[], hour: number, brightest: number): number =>
  ((envelope[getEnvelopeSlot(hour)] ?? 0) * brightest) / 1000

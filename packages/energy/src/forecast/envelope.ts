import { civilOf, epochDay } from '../calendar/civil.ts'
import { quantile } from './quantile.ts'
import { dayOfHour } from './types.ts'

const DAYS = 366
const REACH = 12
const LEVEL = 0.95
/** Fewer values than this say nothing of a season. */
const ENOUGH = 5
/** With less light than this, in W/m², the quotient is noise. */
const FAINT = 10

export function dayOfYear(day: number): number {
  return day - epochDay(civilOf(day).year, 1, 1)
}

const slot = (hour: number) => dayOfYear(dayOfHour(hour)) * 24 + (((hour % 24) + 24) % 24)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const short = (value: number) => Number(value.toPrecision(5))

/** The 95 % quantile of output by cloudless light, per day of the year and hour; a season never seen has the hour's mean. */
export function envelopeOf(first: number, y: Float64Array, brightest: Float64Array): number[] {
  const ratios: number[][] = Array.from({ length: DAYS * 24 }, () => [])
  for (let at = 0; at < y.length; at++) {
    const light = brightest[at] ?? 0
    const value = y[at] ?? Number.NaN
    if (light >= FAINT && !Number.isNaN(value)) ratios[slot(first + at)]?.push((value / light) * 1000)
  }
  const envelope = ratios.map((_, place) => around(ratios, Math.floor(place / 24), place % 24))
  const hours = Array.from({ length: 24 }, (_, hour) => envelope.filter((v, i) => i % 24 === hour && !Number.isNaN(v)))
  const all = hours.flat()
  const whole = all.length > 0 ? mean(all) : 0
  return envelope.map((value, place) => {
    if (!Number.isNaN(value)) return short(value)
    const same = hours[place % 24] ?? []
    return short(same.length > 0 ? mean(same) : whole)
  })
}

function around(ratios: number[][], day: number, hour: number): number {
  const near: number[] = []
  for (let off = -REACH; off <= REACH; off++) {
    const values = ratios[((day + off + DAYS) % DAYS) * 24 + hour] ?? []
    for (const value of values) near.push(value)
  }
  return near.length < ENOUGH ? Number.NaN : quantile(Float64Array.from(near), LEVEL)
}

/** Largest output expected in an hour, as a part of the peak power. */
export const envelopeAt = (envelope: number[], hour: number, brightest: number): number =>
  ((envelope[slot(hour)] ?? 0) * brightest) / 1000

import { expect, test } from 'vitest'
import { drawUniform } from '../model/random.ts'
import { applyBandEdges, computeBandEdges, type PastBand } from './band-calibration.ts'

const PEAK = 10_000
const DAY = 1440
const HOURS = Array.from({ length: 48 }, (_, at) => at)
const isDay = (at: number) => at % 24 >= 8 && at % 24 < 18
const buildForecast = (startsAt: number) => ({
  startsAt,
  step: 60 as const,
  levels: [0.1, 0.5, 0.9],
  values: [4500, 5000, 5500].map((watts) => Int32Array.from(HOURS, (at) => (isDay(at) ? watts : 0))),
  source: HOURS.map(() => 'weather' as const),
})
const buildPastBand = (startsAt: number): PastBand => {
  const [low = [], middle = [], high = []] = buildForecast(startsAt).values
  return { startsAt, step: 60, low, middle, high, counts: HOURS.map((at) => (isDay(at) ? 1 : 0)) }
}
/** Between 3 000 and 6 000 watts by day, the same every day. */
const meters = (days: number) => ({
  startsAt: 0,
  step: 60 as const,
  watts: Int32Array.from({ length: days * 24 }, (_, at) =>
    isDay(at) ? Math.round(3000 + 3000 * drawUniform(3, at)) : 0,
  ),
})
const past = (days: number) => Array.from({ length: days }, (_, day) => buildPastBand(day * DAY))

test('a band that held four values in ten is widened until it holds eight', () => {
  const known = meters(40)
  const moved = applyBandEdges(buildForecast(40 * DAY), computeBandEdges(past(40), known, 40 * DAY, PEAK), PEAK)
  const [low, middle, high] = moved.values.map((level) => level[12] ?? 0)
  const parts = [...known.watts].filter((_, at) => isDay(at))
  const within = parts.filter((value) => value >= (low ?? 0) && value <= (high ?? 0)).length / parts.length
  expect(within).toBeGreaterThan(0.75)
  expect(within).toBeLessThan(0.85)
  expect(middle).toBe(5000)
  expect(moved.values.map((level) => level[2])).toEqual([0, 0, 0])
})

test('with too few measured hours, or none that many days ahead, the band stays as fitted', () => {
  expect(computeBandEdges(past(5), meters(5), 5 * DAY, PEAK)[0]).toEqual({ low: 1, high: 1 })
  const some = computeBandEdges(past(40), meters(40), 40 * DAY, PEAK)
  expect(applyBandEdges(buildForecast(40 * DAY), some.slice(0, 1), PEAK).values[0]?.[36]).toBe(4500)
  expect(some[0]?.low).not.toBe(1)
})

test('values not known yet, values of long ago and hours without sun do not move the band', () => {
  const known = meters(40)
  const later = { ...known, watts: known.watts.map((value, at) => (at >= 30 * 24 ? 9999 : value)) }
  expect(computeBandEdges(past(40), later, 30 * DAY, PEAK)).toEqual(computeBandEdges(past(30), known, 30 * DAY, PEAK))
  expect(computeBandEdges(past(60).slice(0, 20), meters(60), 60 * DAY, PEAK)).toEqual([])
  const dark = past(30).map((band) => ({ ...band, counts: HOURS.map(() => 0) }))
  expect(computeBandEdges(dark, known, 30 * DAY, PEAK)).toEqual([])
})

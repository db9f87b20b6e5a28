import { expect, test } from 'vitest'
import { dayStart, stepsOfDay } from '../calendar/calendar.ts'
import {
  CONSUMPTION_PROFILE_LABELS,
  CONSUMPTION_PROFILES,
  type ConsumptionProfile,
  computeLoadWatts,
} from './profiles.ts'
import { computeTypicalLoad } from './typical-year.ts'
import { createSky } from './weather.ts'

const sky = createSky('demo', { latitude: 45.76, longitude: 4.84 })
const temperature = (minute: number) => sky(minute).temperature
const total = (watts: Int32Array) => watts.reduce((sum, value) => sum + value, 0)
const curve = (profile: ConsumptionProfile, kwh: number, seed: string | number, from: string, to: string) => {
  const startsAt = dayStart(from)
  return computeLoadWatts(profile, kwh, seed, startsAt, (dayStart(to) - startsAt) / 15, 15, temperature)
}
const computeMeanWatts = (profile: ConsumptionProfile, from: string, to: string, kwh = 50_000) => {
  const watts = curve(profile, kwh, 'site', from, to)
  return total(watts) / watts.length
}

test.each(CONSUMPTION_PROFILES)(
  '%s meets its yearly energy in any year, in whole watts never below zero',
  (profile) => {
    for (const [year, seed] of [
      [2024, 'a'],
      [2025, 'b'],
      [2026, 'c'],
      [2026, 7],
    ] as const) {
      const watts = curve(profile, 6000, seed, `${year}-01-01`, `${year + 1}-01-01`)
      expect(Math.abs(total(watts) / 4000 / 6000 - 1)).toBeLessThan(0.08)
      expect(watts.every((value) => value >= 0)).toBe(true)
    }
  },
)

test.each(CONSUMPTION_PROFILES)('%s is deterministic, differs by seed, and has a French label', (profile) => {
  const of = (seed: string) => curve(profile, 6000, seed, '2025-02-01', '2025-02-08')
  expect(of('a')).toEqual(of('a'))
  expect(of('a')).not.toEqual(of('b'))
  expect(CONSUMPTION_PROFILE_LABELS[profile]).toMatch(/^\p{Lu}/u)
})

test.each(CONSUMPTION_PROFILES)('%s does not depend on the period or the step asked for', (profile) => {
  const week = curve(profile, 6000, 'a', '2025-03-27', '2025-04-03')
  const day = curve(profile, 6000, 'a', '2025-03-31', '2025-04-01')
  const skipped = (dayStart('2025-03-31') - dayStart('2025-03-27')) / 15
  expect(week.subarray(skipped, skipped + 96)).toEqual(day)
  for (const step of [5, 30, 60] as const) {
    const other = computeLoadWatts(profile, 6000, 'a', dayStart('2025-03-31'), 1440 / step, step, temperature)
    expect(Math.abs((total(other) * step) / (total(day) * 15) - 1)).toBeLessThan(0.01)
  }
})

test.each([
  ['2025-03-30', 92],
  ['2025-10-26', 100],
])('on %s opening hours follow the wall clock over %i quarters', (sunday, quarters) => {
  expect(stepsOfDay(sunday, 15)).toBe(quarters)
  const watts = curve(
    'bakery',
    50_000,
    'a',
    sunday,
    sunday.replace(/\d\d$/, (day) => String(Number(day) + 1)),
  )
  expect(watts).toHaveLength(quarters)
  const night = watts.subarray(0, 4)
  const morning = watts.subarray(quarters - 17 * 4, quarters - 15 * 4)
  expect(total(morning) / 8).toBeGreaterThan((3 * total(night)) / 4)
})

test('schools and workshops are empty in August and at weekends', () => {
  expect(computeMeanWatts('school', '2025-08-04', '2025-08-25')).toBeLessThan(
    0.3 * computeMeanWatts('school', '2025-09-08', '2025-09-29'),
  )
  expect(computeMeanWatts('workshop', '2025-08-04', '2025-08-18')).toBeLessThan(
    0.4 * computeMeanWatts('workshop', '2025-06-16', '2025-06-30'),
  )
  expect(computeMeanWatts('school', '2025-09-13', '2025-09-15')).toBeLessThan(
    0.4 * computeMeanWatts('school', '2025-09-15', '2025-09-17'),
  )
})

test('offices close on 14 July, and are open on an ordinary Monday', () => {
  expect(computeMeanWatts('office', '2025-07-14', '2025-07-15')).toBeLessThan(
    0.6 * computeMeanWatts('office', '2025-07-15', '2025-07-16'),
  )
})

test('heating follows the cold, street lamps follow the night', () => {
  const heated = (from: string, to: string) => computeMeanWatts('household-electric-heating', from, to, 9000)
  expect(heated('2025-01-06', '2025-02-03')).toBeGreaterThan(2.5 * heated('2025-06-02', '2025-06-30'))
  const lamps = curve('street-lighting', 50_000, 'a', '2025-06-21', '2025-06-22')
  expect(total(lamps.subarray(32, 80))).toBeLessThan(0.05 * total(lamps))
})

test('a car charges on some nights only', () => {
  const watts = curve('ev-household', 5600, 'c', '2025-03-03', '2025-03-31')
  const days = Array.from({ length: 27 }, (_, day) => Math.max(...watts.subarray(day * 96 + 48, day * 96 + 144)))
  const charging = days.filter((peak) => peak > 6000).length
  expect(charging).toBeGreaterThan(4)
  expect(charging).toBeLessThan(20)
})

test('a typical load has the hours of a year; zero hours give none; a start off the step is refused', () => {
  expect(total(computeTypicalLoad('shop', 30_000, 1)) / 1000 / 30_000).toBeCloseTo(1, 2)
  expect(computeTypicalLoad('shop', 30_000, 1)).toHaveLength(8760)
  expect(total(computeLoadWatts('shop', 0, 1, dayStart('2025-01-01'), 96, 15))).toBe(0)
  expect(() => computeLoadWatts('shop', 1000, 1, dayStart('2025-01-01') + 7, 96, 15)).toThrow(RangeError)
})

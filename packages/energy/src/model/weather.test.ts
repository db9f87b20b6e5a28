import { expect, test } from 'vitest'
import { addDays, listDays } from '../calendar/calendar.ts'
import { computeDayWeather, createSky } from './weather.ts'

const LYON = { latitude: 45.76, longitude: 4.84 }
const year = listDays('2025-01-01', '2026-01-01')
const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length

test('the same seed gives the same weather of a day, read alone or in a row', () => {
  expect(computeDayWeather('a', LYON, '2025-05-01')).toEqual(computeDayWeather('a', LYON, '2025-05-01'))
  expect(computeDayWeather('a', LYON, '2025-05-01')).not.toEqual(computeDayWeather('b', LYON, '2025-05-01'))
  const [sky, again] = [createSky('a', LYON), createSky('a', LYON)]
  again(30_000_000)
  expect(sky(29_000_000)).toEqual(again(29_000_000))
})

test.each([
  ['2025-03-30', 92, 23],
  ['2025-05-01', 96, 24],
  ['2025-10-26', 100, 25],
])('%s has %i quarters and %i hours', (day, quarters, hours) => {
  const weather = computeDayWeather('a', LYON, day)
  expect(weather.clearness).toHaveLength(quarters)
  expect(weather.temperature).toHaveLength(hours)
})

test('clearness stays within 0 and 1, temperatures within the usual range of Lyon', () => {
  for (const day of year) {
    const { clearness, temperature } = computeDayWeather('demo', LYON, day)
    expect(clearness.every((value) => value > 0 && value <= 1)).toBe(true)
    expect(temperature.every((value) => value > -18 && value < 43)).toBe(true)
  }
})

test('summer is warmer and clearer than winter, and every label occurs', () => {
  const days = year.map((day) => ({ month: Number(day.slice(5, 7)), ...computeDayWeather('demo', LYON, day) }))
  const of = (months: number[], key: 'clearness' | 'temperature') =>
    mean(days.filter(({ month }) => months.includes(month)).map((day) => mean(day[key])))
  expect(of([6, 7, 8], 'temperature') - of([12, 1, 2], 'temperature')).toBeGreaterThan(10)
  expect(of([6, 7, 8], 'clearness')).toBeGreaterThan(of([12, 1, 2], 'clearness'))
  expect(new Set(days.map(({ label }) => label)).size).toBe(4)
})

test('a day resembles the previous one more than one of another month', () => {
  const light = (day: string) => mean(computeDayWeather('demo', LYON, day).clearness)
  const gap = (lag: number) => mean(year.map((day) => Math.abs(light(day) - light(addDays(day, lag)))))
  expect(gap(1)).toBeLessThan(0.75 * gap(31))
})

test('places a kilometre apart have nearly the same sky', () => {
  const near = { latitude: LYON.latitude + 0.005, longitude: LYON.longitude + 0.01 }
  const [here, there] = [computeDayWeather('demo', LYON, '2025-04-10'), computeDayWeather('demo', near, '2025-04-10')]
  expect(mean(here.clearness.map((value, i) => Math.abs(value - (there.clearness[i] ?? 0))))).toBeLessThan(0.03)
})

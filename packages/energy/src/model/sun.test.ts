import { expect, test } from 'vitest'
import { dayStart } from '../calendar/calendar.ts'
import { computeSunPosition, computeSunrise, computeSunset } from './sun.ts'

const PARIS = [48.8566, 2.3522] as const
const utc = (...at: [number, number, number, number, number]) =>
  Date.UTC(at[0], at[1] - 1, at[2], at[3], at[4]) / 60_000

test.each([
  ['Paris, noon of the summer solstice', utc(2025, 6, 21, 11, 52), ...PARIS, 64.58, 180],
  ['Paris, noon of the winter solstice', utc(2025, 12, 21, 11, 49), ...PARIS, 17.71, 180],
  [
    'Golden, the worked example of the NREL algorithm',
    utc(2003, 10, 17, 19, 30) + 0.5,
    39.742476,
    -105.1786,
    39.88,
    194.34,
  ],
  ['the tropic, noon of the solstice', utc(2025, 6, 21, 12, 2), 23.43, 0, 90, null],
  ['the equator, six hours after noon of the equinox', utc(2025, 3, 20, 18, 7), 0, 0, 0, 270],
])('%s', (_, minute, latitude, longitude, elevation, azimuth) => {
  const sun = computeSunPosition(minute, latitude, longitude)
  expect(Math.abs(sun.elevation - elevation)).toBeLessThan(0.15)
  if (azimuth !== null) expect(Math.abs(sun.azimuth - azimuth)).toBeLessThan(0.5)
})

test('sunrise and sunset in Paris agree with the almanac to a minute or two', () => {
  const wall = (day: string, minute: number | null) => (minute ?? 0) - dayStart(day)
  const near = (minute: number, hours: number, minutes: number) =>
    expect(Math.abs(minute - hours * 60 - minutes)).toBeLessThanOrEqual(2)
  near(wall('2025-06-21', computeSunrise('2025-06-21', ...PARIS)), 5, 47)
  near(wall('2025-06-21', computeSunset('2025-06-21', ...PARIS)), 21, 58)
  near(wall('2025-12-21', computeSunrise('2025-12-21', ...PARIS)), 8, 41)
  near(wall('2025-12-21', computeSunset('2025-12-21', ...PARIS)), 16, 56)
})

test('the sun of an equinox rises in the east and sets in the west', () => {
  expect(computeSunPosition(computeSunrise('2025-03-20', ...PARIS) ?? 0, ...PARIS).azimuth).toBeCloseTo(89, -0.5)
  expect(computeSunPosition(computeSunset('2025-03-20', ...PARIS) ?? 0, ...PARIS).azimuth).toBeCloseTo(271, -0.5)
})

test('beyond the polar circle some days have no sunrise', () => {
  expect(computeSunrise('2025-12-21', 69.65, 18.96)).toBeNull()
  expect(computeSunset('2025-06-21', 69.65, 18.96)).toBeNull()
})

import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { dayStart, stepsOfDay } from '../calendar/calendar.ts'
import { computeClearSkyLight, computePvWatts, type PvPlant } from './pv.ts'
import { computeSunPosition } from './sun.ts'
import { computeTypicalYear } from './typical-year.ts'
import { createSky } from './weather.ts'

const PLACES = {
  Lille: { latitude: 50.63, longitude: 3.06 },
  Lyon: { latitude: 45.76, longitude: 4.84 },
  Marseille: { latitude: 43.3, longitude: 5.37 },
}
const plantAt = (place: keyof typeof PLACES): PvPlant => ({
  peakWatts: 100_000,
  azimuth: 180,
  tilt: 30,
  place: PLACES[place],
})
const total = (watts: Int32Array) => watts.reduce((sum, value) => sum + value, 0)

test.each([
  ['Lille', 950, 1050],
  ['Lyon', 1150, 1300],
  ['Marseille', 1400, 1500],
] as const)('a plant of %s yields %i to %i kWh/kWc a year', (place, low, high) => {
  const hours = computeTypicalYear(plantAt(place))
  expect(hours).toHaveLength(8760)
  const perPeak = total(hours) / 100_000
  expect(perPeak).toBeGreaterThan(low)
  expect(perPeak).toBeLessThan(high)
})

test('no production while the sun is down, whole watts, never above the inverters', () => {
  const plant = plantAt('Lyon')
  const from = dayStart('2025-01-01')
  const watts = computePvWatts(plant, from, 365 * 96, 15, createSky('demo', plant.place))
  watts.forEach((value, i) => {
    const { elevation } = computeSunPosition(from + i * 15 + 7.5, plant.place.latitude, plant.place.longitude)
    if (elevation <= 0 ? value !== 0 : value < 0 || value > 95_000) throw new Error(`${value} W at step ${i}`)
  })
  expect(Math.max(...watts)).toBeGreaterThan(70_000)
})

test('the curve is deterministic, and an hour is the mean of its quarters', () => {
  const plant = plantAt('Lyon')
  const from = dayStart('2025-06-01')
  const sky = createSky('demo', plant.place)
  const quarters = computePvWatts(plant, from, 96, 15, sky)
  expect(computePvWatts(plant, from, 96, 15, createSky('demo', plant.place))).toEqual(quarters)
  computePvWatts(plant, from, 24, 60, sky).forEach((hour, i) => {
    expect(Math.abs(hour - total(quarters.subarray(i * 4, i * 4 + 4)) / 4)).toBeLessThanOrEqual(1)
  })
})

test.each(['2025-03-30', '2025-10-26'])('on %s, when clocks change, solar noon does not move', (day) => {
  const watts = computePvWatts(plantAt('Lyon'), dayStart(day), stepsOfDay(day, 15), 15)
  const peak = dayStart(day) + watts.indexOf(Math.max(...watts)) * 15
  expect(Math.abs((peak % 1440) - 700)).toBeLessThan(45)
})

test('panels facing east peak in the morning, west in the evening, and a lower limit clips', () => {
  const noon = 48
  const at = (change: Partial<PvPlant>) =>
    computePvWatts({ ...plantAt('Lyon'), ...change }, dayStart('2025-06-21') + 120, 96, 15)
  const [east, west] = [at({ azimuth: 90 }), at({ azimuth: 270 })]
  expect(total(east.subarray(0, noon))).toBeGreaterThan(1.3 * total(east.subarray(noon)))
  expect(total(west.subarray(noon))).toBeGreaterThan(1.2 * total(west.subarray(0, noon)))
  expect(Math.max(...at({ clipping: 0.6 }))).toBe(60_000)
})

const measured = new URL(
  '../../../../../shared/data/forecasting/nsrdb_paris_2019/403286_48.85_2.34_2019.csv.gz',
  import.meta.url,
)

describe.skipIf(!existsSync(measured))('compared with a year measured in Paris (skipped without the file)', () => {
  test('the cloudless sky is close to the highest measured values', () => {
    const rows = gunzipSync(readFileSync(measured)).toString().trim().split('\n').slice(3)
    const samples = rows.map((row) => {
      const [year = 0, month = 0, day = 0, hour = 0, minute = 0, , , light = 0] = row.split(',').map(Number)
      const at = Date.UTC(year, month - 1, day, hour, minute) / 60_000
      return { light, elevation: computeSunPosition(at, 48.85, 2.34).elevation }
    })
    for (let low = 15; low < 60; low += 5) {
      const ratios = samples
        .filter(({ elevation }) => elevation >= low && elevation < low + 5)
        .map(({ light, elevation }) => light / computeClearSkyLight(elevation))
        .sort((a, b) => a - b)
      const edge = ratios[Math.floor(ratios.length * 0.98)] ?? 0
      expect(edge).toBeGreaterThan(0.95)
      expect(edge).toBeLessThan(1.06)
    }
  })
})

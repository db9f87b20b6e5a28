import { describe, expect, test } from 'vitest'
import { dayStart } from '../calendar/calendar.ts'
import { CONSUMPTION_PROFILES, computeLoadWatts } from '../model/profiles.ts'
import { computePvWatts } from '../model/pv.ts'
import { drawBell } from '../model/random.ts'
import { createSky } from '../model/weather.ts'
import type { PowerSeries } from '../series/series.ts'
import { detectClockShift } from './meter-findings.ts'
import { buildWeekProfiles, detectSwappedPoints } from './swapped-points.ts'

const PLACE = { latitude: 45.76, longitude: 4.84 }
const plantCount = process.env.TEST_ALL ? 30 : 12

describe('a clock that is shifted', () => {
  /** A plant whose orientation is known to 8° and 4° only, under a sky of its own, at each season. */
  function plant(number: number) {
    const assumed = { peakWatts: 6_100 + 830 * number, azimuth: 95 + 15 * (number % 12), tilt: 9 + 3 * (number % 10) }
    const real = { azimuth: assumed.azimuth + 8 * drawBell(5, number), tilt: assumed.tilt + 4 * drawBell(6, number) }
    const first = dayStart(`2025-${String(1 + (number % 12)).padStart(2, '0')}-03`)
    const watts = computePvWatts({ ...assumed, ...real, place: PLACE }, first, 21 * 96, 15, createSky(number, PLACE))
    return { plant: { ...assumed, place: PLACE }, series: { startsAt: first, step: 15 as const, watts } }
  }
  const late = ({ watts, ...series }: PowerSeries, steps: number): PowerSeries => {
    return { ...series, watts: watts.map((_, at) => watts[Math.max(0, Math.min(watts.length - 1, at - steps))] ?? 0) }
  }
  const plants = Array.from({ length: plantCount }, (_, number) => plant(number))

  test('a shift of four steps is found with its minutes; a plane known to a few degrees is not reported', () => {
    const found = (steps: number) =>
      plants.flatMap(({ plant, series }) => detectClockShift(late(series, steps), plant)?.evidence.minutes ?? [])
    expect(found(0).length).toBeLessThanOrEqual(plantCount / 20)
    for (const steps of [4, -4, 8]) {
      const minutes = found(steps)
      expect(minutes.length).toBeGreaterThanOrEqual(0.7 * plantCount)
      for (const each of minutes) expect(Math.abs(each - 15 * steps)).toBeLessThanOrEqual(45)
    }
  })

  test('a shift of the last five days only is not reported, nor are missing steps', () => {
    const [{ plant, series }] = plants as [(typeof plants)[number]]
    const recent = {
      ...series,
      watts: series.watts.map((own, at) => (at > 16 * 96 ? (series.watts[at - 4] ?? 0) : own)),
    }
    expect(detectClockShift(recent, plant)).toBeNull()
    // When most of the fortnight is late, the whole of it is found late; when a few days are, it is not.
    const since = (day: number) => series.watts.map((own, at) => (at > day * 96 ? (series.watts[at - 8] ?? 0) : own))
    expect(detectClockShift({ ...series, watts: since(12) }, plant)).toBeNull()
    expect(detectClockShift({ ...series, watts: since(5) }, plant)).not.toBeNull()
    const holed = late(series, 4).watts.map((own, at) => (at % 7 === 0 ? -1 : own))
    expect(detectClockShift({ ...series, watts: holed }, plant)).toBeNull()
    expect(detectClockShift({ ...series, watts: late(series, 4).watts.slice(-10 * 96) }, plant)).toBeNull()
  })
})

describe('two points that exchanged their curves', () => {
  const FIRST = dayStart('2025-02-03')
  const WEEKS = 14
  const steps = WEEKS * 168
  const load = (number: number) =>
    computeLoadWatts(
      CONSUMPTION_PROFILES[number % 9] ?? 'household',
      2_300 + 410 * number,
      `load ${number}`,
      FIRST,
      steps,
      60,
    )
  const loads = Array.from({ length: process.env.TEST_ALL ? 24 : 14 }, (_, number) => load(number))
  const weekly = (all: Int32Array[]) =>
    all.map((watts, at) => ({ id: `p${at}`, weeks: buildWeekProfiles({ startsAt: FIRST, step: 60, watts }) }))
  const swap = (i: number, j: number, week: number) => {
    const cut = week * 168
    const mixed = (a: Int32Array, b: Int32Array) => Int32Array.from(a, (own, at) => (at < cut ? own : (b[at] ?? 0)))
    const [a, b] = [loads[i], loads[j]] as [Int32Array, Int32Array] // both exist
    return loads.with(i, mixed(a, b)).with(j, mixed(b, a))
  }

  test('no pair is reported where nothing was swapped', () => {
    expect(detectSwappedPoints(weekly(loads))).toEqual([])
  })

  test('swaps are found with their week, and no other pair is reported', () => {
    const cases = loads.flatMap((_, i) => (i + 3 < loads.length ? [[i, i + 3, 7 + (i % 3)] as const] : []))
    const found = cases.map(([i, j, week]) => ({ i, j, week, told: detectSwappedPoints(weekly(swap(i, j, week))) }))
    const right = found.filter(({ i, j, week, told }) =>
      told.some(({ evidence }) => evidence.a === `p${i}` && evidence.b === `p${j}` && evidence.week === week),
    )
    const wrong = found.flatMap(({ i, j, told }) =>
      told.filter(({ evidence }) => evidence.a !== `p${i}` || evidence.b !== `p${j}`),
    )
    expect(right.length).toBeGreaterThanOrEqual(0.7 * cases.length)
    expect(wrong).toEqual([])
  })

  test('a single point that changed, and weeks that were not received, are not a swap', () => {
    const alone = loads.with(
      0,
      Int32Array.from(loads[0] ?? [], (own, at) => (at < 7 * 168 ? own : 3 * own)),
    )
    expect(detectSwappedPoints(weekly(alone))).toEqual([])
    const holed = swap(0, 3, 7).map((watts) => watts.map((own, at) => (Math.floor(at / 168) === 9 ? -1 : own)))
    expect(detectSwappedPoints(weekly(holed))).toEqual([])
  })
})

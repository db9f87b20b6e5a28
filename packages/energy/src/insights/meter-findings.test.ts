import { describe, expect, test } from 'vitest'
import { localTime } from '../calendar/calendar.ts'
import { computePvWatts } from '../model/pv.ts'
import { drawBell, drawUniform } from '../model/random.ts'
import { createSky } from '../model/weather.ts'
import type { PowerSeries } from '../series/series.ts'
import { averageLowestHours, detectBaseLoadRise } from './base-load.ts'
import { detectConsentEnd, detectDataLoss, detectInvertedPoint, detectSilentMeter } from './meter-findings.ts'

const PLACE = { latitude: 48.11, longitude: -1.68 }
const FIRST = Date.parse('2025-03-03T00:00Z') / 60_000
const series = (days: number, of: (minute: number, at: number) => number): PowerSeries => {
  const watts = Int32Array.from({ length: days * 24 }, (_, at) => Math.round(of(FIRST + at * 60, at)))
  return { startsAt: FIRST, step: 60, watts }
}
const getLocalHour = (minute: number) => localTime(minute).minuteOfDay / 60

describe('a point whose role is inverted (consumer or producer)', () => {
  const plants = Array.from({ length: 10 }, (_, i) => {
    const plant = { peakWatts: 8_700 + 900 * i, azimuth: 100 + 18 * i, tilt: 12 + 3 * i, place: PLACE }
    return { startsAt: FIRST, step: 60 as const, watts: computePvWatts(plant, FIRST, 21 * 24, 60, createSky(i, PLACE)) }
  })
  const homes = Array.from({ length: 10 }, (_, i) =>
    series(21, (m, at) => 180 + 40 * i + (getLocalHour(m) > 17 ? 900 : 0) * drawUniform(i, at)),
  )
  const offices = Array.from({ length: 10 }, (_, i) =>
    series(
      21,
      (m, at) =>
        300 + 60 * i + (getLocalHour(m) >= 8 && getLocalHour(m) < 18 ? 9_000 * (0.8 + 0.1 * drawBell(i, at)) : 0),
    ),
  )

  test('every inverted point is found and no other is reported, offices included', () => {
    expect(plants.filter((point) => detectInvertedPoint(point, PLACE, 'consumer'))).toHaveLength(10)
    expect([...homes, ...offices].filter((point) => detectInvertedPoint(point, PLACE, 'producer'))).toHaveLength(20)
    expect(plants.filter((point) => detectInvertedPoint(point, PLACE, 'producer'))).toHaveLength(0)
    expect([...homes, ...offices].filter((point) => detectInvertedPoint(point, PLACE, 'consumer'))).toHaveLength(0)
  })

  test('it needs fourteen days, nine tenths of them received, and some energy', () => {
    const [plant] = plants as [PowerSeries]
    expect(detectInvertedPoint({ ...plant, watts: plant.watts.slice(0, 13 * 24) }, PLACE, 'consumer')).toBeNull()
    expect(
      detectInvertedPoint({ ...plant, watts: plant.watts.map((w, at) => (at % 8 ? w : -1)) }, PLACE, 'consumer'),
    ).toBeNull()
    expect(detectInvertedPoint({ ...plant, watts: plant.watts.map(() => 0) }, PLACE, 'consumer')).toBeNull()
  })
})

/** Days of a home: a floor, heating that follows the cold, and noise. */
function home(number: number, slope: number, step: number, from: number) {
  const cold = Float64Array.from({ length: 365 }, (_, day) =>
    Math.max(0, 6 + 7 * Math.cos((2 * Math.PI * day) / 365) + 2.5 * drawBell(11, number, day)),
  )
  const low = cold.map((degrees, day) => {
    const floor = 95 + 14 * (number % 11) + (day >= from ? step : 0)
    return floor * (1 + 0.08 * drawBell(12, number, day)) + slope * degrees
  })
  return { low, cold }
}
const upTo = ({ low, cold }: ReturnType<typeof home>, day: number) => ({
  low: low.slice(0, day),
  cold: cold.slice(0, day),
})
const foundAfter = (each: ReturnType<typeof home>, from: number, to: number) => {
  for (let day = from; day <= to; day++) if (detectBaseLoadRise(upTo(each, day))) return day - from
  return -1
}

describe('a base load that rose', () => {
  test('rises of 150 and 300 W are found within a fortnight; no false alarm without heating', () => {
    const from = 120
    const delays = [150, 300].flatMap((step) =>
      Array.from({ length: 20 }, (_, i) => foundAfter(home(i, 0, step, from), from, from + 20)),
    )
    expect(delays.filter((days) => days >= 0)).toHaveLength(40)
    expect(Math.max(...delays)).toBeLessThanOrEqual(14)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(8)
    const quiet = Array.from({ length: 20 }, (_, i) => foundAfter(home(i, 0, 0, 999), 70, 365))
    expect(quiet.filter((days) => days >= 0)).toHaveLength(0)
  })

  test('in autumn, last winter tells heating from a rise: rises are found, heating is not reported', () => {
    const year = (number: number, slope: number, step: number) => {
      const cold = Float64Array.from({ length: 430 }, (_, day) =>
        Math.max(0, 4 - 8 * Math.sin((2 * Math.PI * (day - 190)) / 365) + 1.5 * drawBell(13, number, day)),
      )
      const low = cold.map((degrees, day) => {
        return (
          (110 + 9 * (number % 11) + (day >= 400 ? step : 0)) * (1 + 0.08 * drawBell(14, number, day)) + slope * degrees
        )
      })
      return { low, cold }
    }
    const all = (slope: number, step: number) => Array.from({ length: 20 }, (_, i) => year(i, slope, step))
    const found = (homes: ReturnType<typeof year>[]) => homes.filter((each) => foundAfter(each, 400, 430) >= 0).length
    expect(found(all(0, 300))).toBe(20)
    expect(found(all(0, 0))).toBe(0)
    expect(found(all(60, 0))).toBe(0)
    // A home known only since summer cannot be judged.
    const met = all(0, 300).map(({ low, cold }) => ({ low: low.subarray(330), cold: cold.subarray(330) }))
    expect(met.filter((each) => detectBaseLoadRise(each)).length).toBe(0)
  })

  test('heated homes: at most one false alarm in ten years of curves', () => {
    const heated = Array.from({ length: 20 }, (_, i) => foundAfter(home(i, 22, 0, 999), 70, 365))
    expect(heated.filter((days) => days >= 0).length).toBeLessThanOrEqual(2)
  })

  test('the finding gives the rise and its energy over a year', () => {
    const found = detectBaseLoadRise(upTo(home(4, 0, 300, 100), 115))
    expect(found?.evidence.step).toBeGreaterThan(250)
    expect(found?.evidence.step).toBeLessThan(350)
    expect(found?.evidence.yearWh).toBeCloseTo((found?.evidence.step ?? 0) * 8760, 6)
    expect(averageLowestHours([...Array(21).fill(500), 90, 100, 110])).toBeCloseTo(100, 9)
    expect(averageLowestHours(Array(21).fill(500))).toBeNaN()
  })
})

describe('a meter whose value does not change', () => {
  const used = (days: number) => series(days, (_, at) => 130 + 400 * drawUniform(5, at))
  const ended = (value: number, hours: number) => {
    const curve = used(30)
    curve.watts.fill(value, curve.watts.length - hours)
    return curve
  }

  test('a value constant for a day, or zero for three, is found with the energy it should have counted', () => {
    expect(detectSilentMeter(ended(417, 24))).toMatchObject({
      rule: 'stuck-meter',
      statistic: 24,
      evidence: { watts: 417 },
    })
    const mute = detectSilentMeter(ended(0, 72))
    expect(mute).toMatchObject({ rule: 'mute-meter', statistic: 72 })
    expect(mute?.evidence.estimatedWh).toBeGreaterThan(72 * 300)
    expect(mute?.evidence.estimatedWh).toBeLessThan(72 * 360)
  })

  test('an hour less, zero on a meter that often reads zero, and a gap are not reported', () => {
    expect(detectSilentMeter(ended(417, 23))).toBeNull()
    expect(detectSilentMeter(ended(0, 71))).toBeNull()
    expect(detectSilentMeter(ended(-1, 72))).toBeNull()
    const often = ended(0, 80)
    often.watts.forEach((_, at) => {
      if (at % 12 === 0) often.watts[at] = 0
    })
    expect(detectSilentMeter(often)).toBeNull()
    expect(Array.from({ length: 40 }, (_, i) => detectSilentMeter(used(20 + i))).filter(Boolean)).toHaveLength(0)
  })
})

test('consents that end and data that stop, judged by the usual delays of the point', () => {
  expect(detectConsentEnd(61)).toBeNull()
  expect(detectConsentEnd(60)?.evidence.daysLeft).toBe(60)
  expect(detectConsentEnd(-3)).not.toBeNull()
  const delays = Array.from({ length: 100 }, (_, i) => 1 + (i % 3))
  expect(detectDataLoss(3, delays)).toBeNull()
  expect(detectDataLoss(4, delays)).toMatchObject({ statistic: 4, threshold: 3 })
  expect(detectDataLoss(40, delays.slice(0, 19))).toBeNull()
})

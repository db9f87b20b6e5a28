import { describe, expect, test } from 'vitest'
import { dayStart, localTime } from '../calendar/calendar.ts'
import { drawBell } from '../model/random.ts'
import type { PowerSeries, Step } from '../series/series.ts'
import { forecastLoad, getDayKind } from './consumption-forecast.ts'
import { computeHitRate, findBestHours, forecastSurplus } from './surplus.ts'
import type { PowerForecast } from './types.ts'

const at = (day: string, hour: number) => dayStart(day) + hour * 60
/** A bakery: up at four on working days, an hour later on Saturday, closed on other days. */
function buildBakerySeries(from: string, to: string, step: Step, noise = 0): PowerSeries {
  const startsAt = dayStart(from)
  const watts = Int32Array.from({ length: (dayStart(to) - startsAt) / step }, (_, i) => {
    const minute = startsAt + i * step
    const hour = localTime(minute).minuteOfDay / 60
    const opens = { work: 4, saturday: 5, rest: 99 }[getDayKind(minute)]
    return Math.round((hour >= opens && hour < 13 ? 7310 : 245) * (1 + noise * drawBell(3, i)))
  })
  return { startsAt, step, watts }
}

test('the kind of a day follows the French calendar by the wall clock', () => {
  expect(
    ['2025-07-11', '2025-07-12', '2025-07-13', '2025-07-14', '2025-07-15'].map((day) => getDayKind(at(day, 0))),
  ).toEqual(['work', 'saturday', 'rest', 'rest', 'work'])
  expect(getDayKind(dayStart('2025-07-14') - 1)).toBe('rest')
  expect(getDayKind(dayStart('2025-07-12') - 1)).toBe('work')
})

describe('consumption forecast', () => {
  test.each([15, 30, 60] as const)(
    'forecasts a steady week across the clock change, by steps of %i minutes',
    (step) => {
      const recent = buildBakerySeries('2025-02-20', '2025-03-29', step)
      const coming = buildBakerySeries('2025-03-29', '2025-04-02', step)
      const ask = { issuedAt: at('2025-03-29', 7), startsAt: coming.startsAt, steps: coming.watts.length, step }
      expect(coming.watts.length).toBe((95 * 60) / step)
      expect([...(forecastLoad(ask, recent).values[1] ?? [])]).toEqual([...coming.watts])
    },
  )

  test('forecasts a public holiday as a day of rest', () => {
    const recent = buildBakerySeries('2025-06-01', '2025-07-14', 60)
    const ask = { issuedAt: at('2025-07-14', 0), startsAt: at('2025-07-14', 0), steps: 24, step: 60 } as const
    expect(Math.max(...(forecastLoad(ask, recent).values[2] ?? []))).toBe(245)
  })

  test('recent days weigh more, days older than four weeks nothing', () => {
    const recent = buildBakerySeries('2025-04-01', '2025-06-02', 60)
    recent.watts.fill(900, 0, 34 * 24)
    const ask = { issuedAt: at('2025-06-02', 6), startsAt: at('2025-06-03', 10), steps: 1, step: 60 } as const
    expect(forecastLoad(ask, recent).values[1]?.[0]).toBe(7310)
    const changed = buildBakerySeries('2025-04-01', '2025-06-02', 60)
    changed.watts.fill(14_620, changed.watts.length - 7 * 24)
    expect(forecastLoad(ask, changed).values[1]?.[0]).toBeGreaterThan(10_500)
  })

  test('a gap does not count as zero, and without any measure there is no forecast', () => {
    const recent = buildBakerySeries('2025-05-01', '2025-06-02', 60)
    recent.watts.fill(-1, recent.watts.length - 4 * 24)
    const ask = { issuedAt: at('2025-06-02', 6), startsAt: at('2025-06-03', 10), steps: 2, step: 60 } as const
    expect(forecastLoad(ask, recent).values[1]?.[0]).toBe(7310)
    const never = { ...recent, watts: recent.watts.map(() => -1) }
    expect(forecastLoad(ask, never).values.map((level) => level[0])).toEqual([-1, -1, -1])
  })

  test('with fewer than nine past errors there is no band, and none is scored', () => {
    const ask = { issuedAt: at('2025-06-02', 0), startsAt: at('2025-06-02', 0), steps: 24, step: 60 } as const
    const level = (from: string) =>
      forecastLoad(ask, buildBakerySeries(from, '2025-06-02', 60, 0.2)).values.map((all) => all[8])
    const [low, middle, high] = level('2025-05-18')
    expect([low, high]).toEqual([-1, -1])
    expect(middle).toBeGreaterThan(0)
    expect(Math.min(...level('2025-05-16').map((watts) => watts ?? -1))).toBeGreaterThan(0)
  })

  test('the band holds about its stated share', () => {
    const all = buildBakerySeries('2025-03-31', '2025-07-11', 60, 0.2)
    let [held, count] = [0, 0]
    for (let day = 60; day < 100; day++) {
      const startsAt = all.startsAt + day * 1440
      const said = forecastLoad({ issuedAt: startsAt, startsAt, steps: 24, step: 60 }, all)
      for (let hour = 0; hour < 24; hour++) {
        const value = all.watts[day * 24 + hour] ?? 0
        if (value >= (said.values[0]?.[hour] ?? 0) && value <= (said.values[2]?.[hour] ?? 0)) held++
        count++
      }
    }
    expect(held / count).toBeGreaterThan(0.75)
    expect(held / count).toBeLessThan(0.86)
  })
})

const DAY = dayStart('2025-06-17')
const buildLoadForecast = (watts: number[]): PowerForecast => ({
  startsAt: DAY,
  step: 60,
  levels: [0.1, 0.5, 0.9],
  values: [0.8, 1, 1.2].map((part) => Int32Array.from(watts, (value) => Math.round(value * part))),
  source: watts.map(() => 'history'),
})
const bump = Array.from({ length: 24 }, (_, hour) => Math.max(0, Math.round(6100 - 1020 * Math.abs(hour - 13))))
const flat = bump.map(() => 2040)
/** Forty days whose errors go from −975 to +975 W. */
const past = Array.from({ length: 40 }, (_, day) => ({
  startsAt: DAY - (day + 1) * 1440,
  step: 60 as const,
  said: flat.map(() => 310),
  measured: flat.map(() => 310 + (day - 19.5) * 50),
}))

describe('surplus forecast', () => {
  const surplus = forecastSurplus(buildLoadForecast(bump), buildLoadForecast(flat), past)

  test('the middle is production less consumption, the band past errors at that hour', () => {
    expect(surplus.values[1]?.[13]).toBe(4060)
    expect(surplus.values[1]?.[3]).toBe(0)
    expect((surplus.values[2]?.[13] ?? 0) - 4060).toBeCloseTo(820, -1)
    expect((surplus.values[0]?.[13] ?? 0) - 4060).toBeCloseTo(-820, -1)
    expect(surplus.chance[13]).toBe(1)
    expect(surplus.chance[2]).toBe(0)
    expect(surplus.chance[9]).toBeCloseTo(0.5, 1)
  })

  test('without scored forecasts there is no chance and no recommended hour', () => {
    const bare = forecastSurplus(buildLoadForecast(bump), buildLoadForecast(flat), past.slice(0, 2))
    expect(bare.chance.every((chance) => chance === null)).toBe(true)
    expect(bare.values.map((level) => level[13])).toEqual([-1, 4060, -1])
    expect(findBestHours(bare, '2025-06-17')).toBeNull()
  })

  test('the band widens with the days ahead, as past errors do', () => {
    const week = (watts: number[]) => buildLoadForecast(Array.from({ length: 48 }, (_, hour) => watts[hour % 24] ?? 0))
    const twice = past.map((one) => ({
      ...one,
      said: [...one.said, ...one.said],
      measured: [...one.measured, ...one.measured.map((net) => 310 + 3 * (net - 310))],
    }))
    const { values } = forecastSurplus(week(bump), week(flat), twice)
    const width = (hour: number) => (values[2]?.[hour] ?? 0) - (values[0]?.[hour] ?? 0)
    expect(width(13)).toBeCloseTo(1640, -1)
    expect(width(37)).toBeCloseTo(3 * 1640, -1)
  })

  test('unknown production or consumption makes the surplus unknown', () => {
    const unknown = buildLoadForecast(bump)
    for (const level of unknown.values) level[13] = -1
    expect(forecastSurplus(unknown, buildLoadForecast(flat), past).values.map((level) => level[13])).toEqual([
      -1, -1, -1,
    ])
  })

  test('recommends the four hours around noon, and null on a day without surplus', () => {
    const best = findBestHours(surplus, '2025-06-17')
    expect(best && [(best.from - DAY) / 60, (best.to - DAY) / 60]).toEqual([11, 15])
    expect(best?.chance).toBeGreaterThanOrEqual(0.8)
    expect(findBestHours(surplus, '2025-06-18')).toBeNull()
    const dim = forecastSurplus(buildLoadForecast(bump.map((watts) => watts / 3)), buildLoadForecast(flat), past)
    expect(findBestHours(dim, '2025-06-17')).toBeNull()
  })

  test('a chance of eight in ten is enough, less is not; two hours are enough, one is not', () => {
    const only = (hours: number, chance: number) => ({
      ...surplus,
      chance: surplus.chance.map((_, hour) => (hour >= 12 && hour < 12 + hours ? chance : 0)),
    })
    expect(findBestHours(only(4, 0.8), '2025-06-17')?.chance).toBe(0.8)
    expect(findBestHours(only(4, 0.79), '2025-06-17')).toBeNull()
    expect(findBestHours(only(2, 0.9), '2025-06-17')?.to).toBe(DAY + 14 * 60)
    expect(findBestHours(only(1, 0.9), '2025-06-17')).toBeNull()
  })

  test('the hit rate counts only the announced steps that were measured', () => {
    const best = { from: DAY + 660, to: DAY + 900, chance: 0.9, wattHours: 1 }
    const watts = [...Array(11).fill(0), 120, -1, 40, 0, ...Array(9).fill(0)]
    expect(computeHitRate([best], { startsAt: DAY, step: 60, watts })).toEqual({ rate: 2 / 3, steps: 3 })
    expect(computeHitRate([], { startsAt: DAY, step: 60, watts })).toBeNull()
  })
})

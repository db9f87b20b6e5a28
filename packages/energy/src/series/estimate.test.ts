import { describe, expect, test } from 'vitest'
import { type Day, dayStart, minutesOfDay } from '../calendar/calendar.ts'
import { estimateGaps } from './estimate.ts'
import { MISSING, type Step } from './series.ts'

const fill = (step: Step, ...watts: number[]) => estimateGaps({ startsAt: 0, step, watts: Int32Array.from(watts) })

describe('short gaps', () => {
  test('follow a line between their neighbours, rounded to the nearest watt', () => {
    const { values, estimated } = fill(30, 101, MISSING, MISSING, 207)
    expect([...values]).toEqual([101, 136, 172, 207])
    expect([...estimated]).toEqual([0, 1, 1, 0])
    expect([...fill(30, 207, MISSING, MISSING, 101).values]).toEqual([207, 172, 136, 101])
    expect([...fill(30, 0, MISSING, 1).values]).toEqual([0, 1, 1])
  })
  test('last two hours at most', () => {
    const hole = (length: number) => new Array<number>(length).fill(MISSING)
    expect([...fill(15, 100, ...hole(8), 190).values]).toEqual([100, 110, 120, 130, 140, 150, 160, 170, 180, 190])
    expect([...fill(15, 100, ...hole(9), 190).estimated]).toEqual(new Array(11).fill(0))
  })
  test('at either end of a series are not interpolated', () => {
    expect([...fill(60, MISSING, 3, 5, MISSING).values]).toEqual([MISSING, 3, 5, MISSING])
  })
})

/** Hourly curves from a day on; the value may depend on the day and on the hour. */
function hourly(first: Day, last: Day, wattsAt: (day: number, hour: number) => number) {
  const startsAt = dayStart(first)
  const end = dayStart(last) + minutesOfDay(last)
  const watts = Int32Array.from({ length: (end - startsAt) / 60 }, (_, at) => wattsAt(Math.floor(at / 24), at % 24))
  return { startsAt, step: 60 as const, watts }
}
const hoursTo = ({ startsAt }: { startsAt: number }, day: Day) => (dayStart(day) - startsAt) / 60

/** The estimate of a whole missing day, at each of its hours. */
function estimateDay(series: ReturnType<typeof hourly>, day: Day): number[] {
  const from = hoursTo(series, day)
  const to = from + minutesOfDay(day) / 60
  const watts = series.watts.slice()
  watts.fill(MISSING, from, to)
  return [...estimateGaps({ ...series, watts }).values.subarray(from, to)]
}

describe('long gaps', () => {
  // Monday 5 January 2026; no clock changes before the end of March.
  const january = hourly('2026-01-05', '2026-02-15', (day, hour) => 1000 + 7 * day + 31 * hour)

  test('are the mean of the same hour on working days of the four weeks before, rounded', () => {
    // Working days among days 11 to 38 (16 January to 12 February), for a gap on 13 February.
    const days = Array.from({ length: 28 }, (_, n) => 11 + n).filter((day) => day % 7 < 5)
    expect(days).toHaveLength(20)
    const mean = days.reduce((sum, day) => sum + 7 * day, 0) / 20
    expect(mean).toBe(175.7)
    expect(estimateDay(january, '2026-02-13')).toEqual(
      Array.from({ length: 24 }, (_, hour) => Math.round(1000 + mean + 31 * hour)),
    )
  })
  test('use four weeks and no more', () => {
    // Saturday 14 February, day 40: Saturdays 33, 26, 19 and 12, not 5.
    expect(estimateDay(january, '2026-02-14')[0]).toBe(1000 + Math.round((7 * (33 + 26 + 19 + 12)) / 4))
    expect(estimateDay(january, '2026-02-14')[0]).not.toBe(1000 + Math.round((7 * (33 + 26 + 19 + 12 + 5)) / 5))
  })
  test('Sundays are averaged among themselves, together with public holidays', () => {
    // Days before 5 April 2026; Easter Monday is the 6th, and the 5th is a Sunday.
    const spring = hourly('2026-03-30', '2026-04-14', (day) => 100 * day + 3)
    expect(estimateDay(spring, '2026-04-12')[5]).toBe(Math.round((603 + 703) / 2))
    // Monday 13 April ignores the holiday: days 0 to 4 and 8 to 11.
    expect(estimateDay(spring, '2026-04-13')[5]).toBe(Math.round((0 + 1 + 2 + 3 + 4 + 8 + 9 + 10 + 11) * (100 / 9)) + 3)
  })
  test('a mean of exactly one half is rounded up, below it down', () => {
    const values = [10, 11, 10]
    const weeks = hourly('2026-01-10', '2026-01-31', (day) => values[Math.floor(day / 7)] ?? 0)
    expect(estimateDay(weeks, '2026-01-31')[3]).toBe(10)
    expect(estimateDay(weeks, '2026-01-24')[3]).toBe(11)
  })
  test('only measured values count, and what no value can tell stays unknown', () => {
    const from = hoursTo(january, '2026-02-14')
    const watts = january.watts.slice()
    watts.fill(MISSING, from, from + 24)
    for (const day of [33, 19]) watts.fill(MISSING, day * 24, day * 24 + 24)
    const { values } = estimateGaps({ ...january, watts })
    expect(values[from]).toBe(1000 + Math.round((7 * (26 + 12)) / 2))
    expect(new Set(estimateDay(january, '2026-01-05'))).toEqual(new Set([MISSING]))
    expect(new Set(estimateDay(january, '2026-01-10'))).toEqual(new Set([MISSING]))
  })
  test('later days are used only where nothing came before', () => {
    const first = january.watts.slice()
    first.fill(MISSING, 0, 24)
    const { values, estimated } = estimateGaps({ ...january, watts: first }, { later: true })
    // Monday 5 January: the working days among the 28 after it.
    const days = Array.from({ length: 28 }, (_, n) => 1 + n).filter((day) => day % 7 < 5)
    expect(values[0]).toBe(Math.round(1000 + (7 * days.reduce((sum, day) => sum + day, 0)) / days.length))
    expect(estimated[0]).toBe(1)
    const from = hoursTo(january, '2026-01-24')
    const middle = january.watts.slice()
    middle.fill(MISSING, from, from + 24)
    const both = estimateGaps({ ...january, watts: middle }, { later: true })
    expect(both.values[from]).toBe(1000 + Math.round((7 * (5 + 12)) / 2))
  })
  test('only the requested gaps are filled', () => {
    const from = hoursTo(january, '2026-02-12')
    const watts = january.watts.slice()
    watts.fill(MISSING, from, from + 48)
    const { values, estimated } = estimateGaps({ ...january, watts }, { within: [from + 24, from + 26] })
    expect([...estimated.subarray(from + 22, from + 28)]).toEqual([0, 0, 1, 1, 0, 0])
    expect(values[from]).toBe(MISSING)
  })
  test('the wall clock is followed across a clock change', () => {
    const startsAt = dayStart('2026-03-26')
    const wall = (at: number) => ((dayStart('2026-03-29') - startsAt) / 60 + 2 <= at ? (at + 1) % 24 : at % 24)
    const length = (dayStart('2026-04-01') - startsAt) / 60
    const watts = Int32Array.from({ length }, (_, at) => 500 + wall(at))
    const from = (dayStart('2026-03-30') - startsAt) / 60
    watts.fill(MISSING, from, from + 24)
    const { values } = estimateGaps({ startsAt, step: 60, watts })
    expect([...values.subarray(from, from + 24)]).toEqual(Array.from({ length: 24 }, (_, hour) => 500 + hour))
  })
})

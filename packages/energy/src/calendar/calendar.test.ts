import { describe, expect, test } from 'vitest'
import * as calendar from './calendar.ts'

const { addDays, addMonths, dayOf, daysBetween, dayStart, isDay, listDays, localTime, minutesOfDay, offsetAt } =
  calendar
const instant = (text: string) => Date.parse(text) / 60_000
/** Checks fifteen thousand days: the machine may be busy. */
const TEST_TIMEOUT_MS = 60_000

describe('Europe/Paris', () => {
  test('starts, ends and names every day from 2000 to 2040 as Temporal does', { timeout: TEST_TIMEOUT_MS }, () => {
    const wrong: string[] = []
    let date = Temporal.PlainDate.from('2000-01-01')
    for (; date.year <= 2040; date = date.add({ days: 1 })) {
      const day = date.toString()
      const midnight = date.toZonedDateTime('Europe/Paris')
      const start = midnight.epochMilliseconds / 60_000
      const length = midnight.hoursInDay * 60
      const last = localTime(start + length - 1)
      const same =
        dayStart(day) === start &&
        minutesOfDay(day) === length &&
        dayOf(start) === day &&
        dayOf(start - 1) !== day &&
        last.day === day &&
        last.minuteOfDay === 1439 &&
        last.weekday === date.dayOfWeek &&
        addDays(day, 1) === date.add({ days: 1 }).toString() &&
        addMonths(day, 7) === date.add({ months: 7 }).toString() &&
        addMonths(day, -13) === date.subtract({ months: 13 }).toString() &&
        offsetAt(start + 720) === Number(midnight.add({ hours: 12 }).offsetNanoseconds) / 6e10
      if (!same) wrong.push(day)
    }
    expect(wrong).toEqual([])
  })

  test('gives the same result for an instant whatever was asked before it (the last day is cached)', () => {
    const years = [1969, 1970, 1999, 2000, 2024, 2025, 2026, 2100]
    const edges = years.flatMap((year) => [`${year}-01-01T00:00Z`, `${year}-03-31T01:00Z`, `${year}-10-25T01:00Z`])
    const minutes = edges.flatMap((edge) => [instant(edge) - 1, instant(edge), instant(edge) + 1])
    const alone = new Map(minutes.map((minute) => [minute, localTime(minute)]))
    for (const before of minutes)
      for (const minute of minutes) expect([before, localTime(before), localTime(minute)][2]).toEqual(alone.get(minute))
    const paris = (minute: number) =>
      Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO('Europe/Paris')
    const recent = minutes.filter((minute) => minute >= instant('1999-01-01T00:00Z'))
    expect(recent.map(dayOf)).toEqual(recent.map((minute) => paris(minute).toPlainDate().toString()))
  })

  test('a day has 92, 96 or 100 quarter hours', () => {
    expect(['2026-03-29', '2026-10-25', '2026-10-26'].map((day) => calendar.stepsOfDay(day, 15))).toEqual([92, 100, 96])
    const month = (from: string, to: string) =>
      listDays(from, to).reduce((sum, day) => sum + calendar.stepsOfDay(day, 15), 0)
    expect(month('2026-10-01', '2026-11-01')).toBe(2980)
    expect(month('2026-11-01', '2026-12-01')).toBe(2880)
    expect(month('2027-03-01', '2027-04-01')).toBe(2972)
  })

  test('the wall clock shows two o’clock twice in October and never in March', () => {
    expect(localTime(instant('2026-10-25T00:30Z'))).toEqual({ day: '2026-10-25', minuteOfDay: 150, weekday: 7 })
    expect(localTime(instant('2026-10-25T01:30Z'))).toEqual({ day: '2026-10-25', minuteOfDay: 150, weekday: 7 })
    expect(localTime(instant('2026-10-25T00:59Z')).minuteOfDay).toBe(179)
    expect(localTime(instant('2026-10-25T01:00Z')).minuteOfDay).toBe(120)
    expect(localTime(instant('2026-03-29T00:59Z')).minuteOfDay).toBe(119)
    expect(localTime(instant('2026-03-29T01:00Z'))).toEqual({ day: '2026-03-29', minuteOfDay: 180, weekday: 7 })
  })

  test('accepts only dates that exist as days', () => {
    expect(['2024-02-29', '2000-02-29', '2026-12-31'].every(isDay)).toBe(true)
    expect(['2023-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-4-01', '', '2026-04-31'].some(isDay)).toBe(
      false,
    )
    expect(() => dayStart('2026-02-30')).toThrow(RangeError)
  })

  test('isDay: refuses a real date that is written in another way', () => {
    const others = [
      '2026-10-5',
      '2026/10/05',
      '2026.10.05',
      '20261005',
      '2026-10-05 ',
      '2026-10-05T00:00',
      '+026-10-05',
    ]
    expect(others.filter(isDay)).toEqual([])
    for (const text of others) expect(() => dayStart(text), text).toThrow(`not a day: ${text}`)
  })

  test('ranges are half-open', () => {
    expect(listDays('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(listDays('2026-03-02', '2026-03-02')).toEqual([])
    expect(daysBetween('2026-01-01', '2027-01-01')).toBe(365)
    expect(calendar.monthOf('2026-07-14')).toBe('2026-07-01')
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  })

  test('public holidays follow Easter', () => {
    expect(calendar.holidays(2026)).toEqual([
      '2026-01-01',
      '2026-04-06',
      '2026-05-01',
      '2026-05-08',
      '2026-05-14',
      '2026-05-25',
      '2026-07-14',
      '2026-08-15',
      '2026-11-01',
      '2026-11-11',
      '2026-12-25',
    ])
    // In 2008 Ascension Day was on 1 May.
    expect(calendar.holidays(2008)).toHaveLength(10)
  })
})

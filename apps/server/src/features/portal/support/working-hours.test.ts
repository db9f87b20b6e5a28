import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addWorkingMinutes, countWorkingMinutes, isOpenDay, type OpeningHours } from './support-hours.ts'

const OFFICE: OpeningHours = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00', alsaceMoselle: false }
const ALWAYS: OpeningHours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59', alsaceMoselle: false }
const at = (text: string) =>
  new Date(Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Paris').epochMilliseconds)
const formatParisTime = (date: Date) =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('Europe/Paris').toPlainDateTime().toString()

describe('when a desk is open', () => {
  test('neither on week-ends nor on the holidays of France', () => {
    expect(isOpenDay('2026-03-28', OFFICE)).toBe(false)
    for (const day of ['2026-01-01', '2026-04-06', '2026-05-14', '2026-05-25', '2026-07-14', '2026-12-25'])
      expect([day, isOpenDay(day, OFFICE)]).toEqual([day, false])
    expect(isOpenDay('2026-12-24', OFFICE)).toBe(true)
  })

  test('Good Friday and Saint Stephen are holidays in Alsace-Moselle alone', () => {
    const there = { ...OFFICE, alsaceMoselle: true }
    for (const day of ['2026-04-03', '2025-12-26'])
      expect([isOpenDay(day, OFFICE), isOpenDay(day, there)]).toEqual([true, false])
    expect(isOpenDay('2026-04-02', there)).toBe(true)
  })
})

describe('what is due', () => {
  test('goes over the night, the week-end and a bridge of holidays', () => {
    expect(formatParisTime(addWorkingMinutes(at('2026-03-26T17:00'), 120, OFFICE))).toBe('2026-03-27T10:00:00')
    expect(formatParisTime(addWorkingMinutes(at('2026-03-27T17:30'), 60, OFFICE))).toBe('2026-03-30T09:30:00')
    // Friday evening before Easter: Monday is a holiday.
    expect(formatParisTime(addWorkingMinutes(at('2026-04-03T18:00'), 1, OFFICE))).toBe('2026-04-07T09:01:00')
    expect(formatParisTime(addWorkingMinutes(at('2026-04-04T12:00'), 0, OFFICE))).toBe('2026-04-07T09:00:00')
    expect(formatParisTime(addWorkingMinutes(at('2026-03-26T09:00'), 540, OFFICE))).toBe('2026-03-26T18:00:00')
  })

  test('follows the clock on the wall on the days it changes', () => {
    // 29 March 2026 has 23 hours, 25 October 25.
    expect(countWorkingMinutes(at('2026-03-29T00:00'), at('2026-03-30T00:00'), ALWAYS)).toBe(23 * 60 - 1)
    expect(countWorkingMinutes(at('2026-10-25T00:00'), at('2026-10-26T00:00'), ALWAYS)).toBe(25 * 60 - 1)
    const sundays = { ...OFFICE, days: [7] }
    for (const day of ['2026-03-29', '2026-10-25']) {
      expect(countWorkingMinutes(at(`${day}T00:00`), at(`${day}T23:00`), sundays)).toBe(540)
      expect(formatParisTime(addWorkingMinutes(at(`${day}T01:00`), 60, sundays))).toBe(`${day}T10:00:00`)
    }
  })

  test('nothing has run where the end comes first', () => {
    expect(countWorkingMinutes(at('2026-03-27T12:00'), at('2026-03-27T11:00'), OFFICE)).toBe(0)
  })
})

const START = at('2026-01-01T00:00').getTime()
const instant = fc.integer({ min: 0, max: 500 * 1440 }).map((minute) => new Date(START + minute * 60_000))
const hours = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  from: fc.constantFrom('00:00', '07:30', '09:00'),
  to: fc.constantFrom('12:00', '18:00', '23:59'),
  alsaceMoselle: fc.boolean(),
})

describe('whatever the hours', () => {
  test('minutes add up', () => {
    fc.assert(
      fc.property(instant, instant, instant, hours, (a, b, c, open) => {
        const [first, second, third] = [a, b, c].toSorted((x, y) => x.getTime() - y.getTime()) as [Date, Date, Date]
        const whole = countWorkingMinutes(first, third, open)
        expect(countWorkingMinutes(first, second, open) + countWorkingMinutes(second, third, open)).toBe(whole)
      }),
      { numRuns: 60 },
    )
  })

  test('as many minutes lie before what is due as were promised, and more are never due sooner', () => {
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 500 }),
        hours,
        (from, minutes, more, open) => {
          const due = addWorkingMinutes(from, minutes, open)
          expect(countWorkingMinutes(from, due, open)).toBe(minutes)
          expect(addWorkingMinutes(from, minutes + more, open).getTime()).toBeGreaterThanOrEqual(due.getTime())
        },
      ),
      { numRuns: 60 },
    )
  })
})

import { expect, test } from 'vitest'
import { formatBookingDay, formatCalendarMonth, formatDayOfMonth, listMonthWeeks } from './booking-calendar.ts'

test('a month is laid out in weeks that begin on Monday', () => {
  const weeks = listMonthWeeks('2026-03-01')
  expect(weeks).toHaveLength(6)
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-03-01'])
  expect(weeks.flat().filter(Boolean)).toHaveLength(31)
  expect(weeks.every((week) => week.length === 7)).toBe(true)
  expect(listMonthWeeks('2026-02-01').flat()).toHaveLength(35)
})

test('a day is told in French', () => {
  expect(formatBookingDay('2026-03-12')).toBe('jeudi 12 mars 2026')
  expect(formatDayOfMonth('2026-03-02')).toBe('2')
  expect(formatCalendarMonth('2026-08-01')).toBe('août 2026')
})

import { expect, test } from 'vitest'
import { addDays, addMonths, dayNumber, longDay, monthName, weeksOf } from './days.ts'

test('a month is laid out in weeks that begin on Monday', () => {
  const weeks = weeksOf('2026-03')
  expect(weeks).toHaveLength(6)
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-03-01'])
  expect(weeks.flat().filter(Boolean)).toHaveLength(31)
  expect(weeks.every((week) => week.length === 7)).toBe(true)
})

test('days and months follow one another over the change of hour and of year', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2026-10-24', 2)).toBe('2026-10-26')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addMonths('2026-12', 1)).toBe('2027-01')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
})

test('a day is told in French', () => {
  expect(longDay('2026-03-12')).toBe('jeudi 12 mars 2026')
  expect(dayNumber('2026-03-02')).toBe('2')
  expect(monthName('2026-08')).toBe('août 2026')
})

import { expect, test } from 'vitest'
import {
  addDays,
  arePeriodsOverlapping,
  daysBetween,
  getCalendarPeriod,
  getWeekday,
  intersectPeriods,
  isDay,
  isDayInPeriod,
  isMonth,
} from './days.ts'
import { computeEasterDay, getTargetDayBefore, getTargetDayFrom, isTargetDay } from './working-days.ts'

test('reads and adds days', () => {
  expect(['2028-02-29', '2026-12-31'].every(isDay)).toBe(true)
  expect(['2027-02-29', '2026-13-01', '2026-1-1', '2026-10-32', ''].some(isDay)).toBe(false)
  expect(['2026-00', '2026-13', '2026'].some(isMonth)).toBe(false)
  expect(addDays('2026-10-24', 2)).toBe('2026-10-26')
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  expect(getWeekday('2026-11-16')).toBe(1)
  expect(getWeekday('1969-12-28')).toBe(7)
  expect(() => addDays('2026-02-30', 1)).toThrow(RangeError)
})

test('periods are half-open', () => {
  const span = { from: '2026-10-12', to: '2026-10-26' }
  expect([isDayInPeriod(span, '2026-10-12'), isDayInPeriod(span, '2026-10-26')]).toEqual([true, false])
  expect(intersectPeriods({ from: '2026-10-01', to: '2026-11-01' }, span, { from: '2026-10-20', to: null })).toEqual({
    from: '2026-10-20',
    to: '2026-10-26',
  })
  expect(intersectPeriods({ from: '2026-10-26', to: '2026-11-01' }, span)).toBeUndefined()
  expect(arePeriodsOverlapping(span, { from: '2026-10-26', to: null })).toBe(false)
  expect(arePeriodsOverlapping({ from: '2020-01-01', to: null }, span)).toBe(true)
})

test.each([
  ['month', '2026-12-01', '2027-01-01'],
  ['quarter', '2026-10-01', '2027-01-01'],
  ['year', '2026-01-01', '2027-01-01'],
] as const)('finds the %s that holds a day', (every, from, to) => {
  expect(getCalendarPeriod('2026-12-17', every)).toEqual({ from, to })
})

test('Easter', () => {
  expect([2024, 2026, 2027, 2038].map(computeEasterDay)).toEqual([
    '2024-03-31',
    '2026-04-05',
    '2027-03-28',
    '2038-04-25',
  ])
})

test('TARGET is closed on its own holidays only', () => {
  const closed = [
    '2026-04-03',
    '2026-04-06',
    '2026-05-01',
    '2026-12-25',
    '2028-12-26',
    '2027-01-01',
    '2026-11-14',
    '2026-11-15',
  ]
  expect(closed.filter(isTargetDay)).toEqual([])
  expect(['2026-07-14', '2026-11-11', '2026-05-08', '2026-04-07'].every(isTargetDay)).toBe(true)
  expect(getTargetDayFrom('2026-04-03')).toBe('2026-04-07')
  expect(getTargetDayBefore('2026-04-07', 2)).toBe('2026-04-01')
  expect(getTargetDayBefore('2026-04-07', 0)).toBe('2026-04-07')
})

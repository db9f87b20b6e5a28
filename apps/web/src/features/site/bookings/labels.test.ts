import { expect, test } from 'vitest'
import { formatShortWeekday, getMonday, getNearestWorkMonday, listWorkdays } from './labels.ts'

test('a week begins on Monday and holds the working days', () => {
  expect(getMonday('2026-11-15')).toBe('2026-11-09')
  expect(getMonday('2026-11-16')).toBe('2026-11-16')
  expect(getNearestWorkMonday('2026-11-14')).toBe('2026-11-16')
  expect(getNearestWorkMonday('2026-11-15')).toBe('2026-11-16')
  expect(getNearestWorkMonday('2026-11-13')).toBe('2026-11-09')
  expect(listWorkdays('2026-03-29')).toEqual(['2026-03-23', '2026-03-24', '2026-03-25', '2026-03-26', '2026-03-27'])
  expect(formatShortWeekday('2026-11-16')).toBe('lun. 16 nov.')
})

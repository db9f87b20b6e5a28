import { expect, test } from 'vitest'
import { dayName, mondayOf, weekOf, workMonday } from './week.ts'

test('a week begins on Monday and holds the working days', () => {
  expect(mondayOf('2026-11-15')).toBe('2026-11-09')
  expect(mondayOf('2026-11-16')).toBe('2026-11-16')
  expect(workMonday('2026-11-14')).toBe('2026-11-16')
  expect(workMonday('2026-11-15')).toBe('2026-11-16')
  expect(workMonday('2026-11-13')).toBe('2026-11-09')
  expect(weekOf('2026-03-29')).toEqual(['2026-03-23', '2026-03-24', '2026-03-25', '2026-03-26', '2026-03-27'])
  expect(dayName('2026-11-16')).toBe('lun. 16 nov.')
})

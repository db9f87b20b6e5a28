import { addDays, addMonths } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { monthsOf } from './compute.ts'
import { requirePeriod } from './period.ts'

const refused = (from: string, to: string) => {
  try {
    requirePeriod({ from, to })
  } catch (error) {
    return error instanceof AppError && error.issues?.[0]?.path
  }
  return null
}

test('a period has a day at least', () => {
  expect(refused('2025-03-07', '2025-03-07')).toBe('to')
  expect(refused('2025-03-08', '2025-03-07')).toBe('to')
  expect(refused('2025-03-07', '2025-03-08')).toBeNull()
})

test('it is over: today is not one of its days', () => {
  const day = today()
  expect(refused(addDays(day, -3), day)).toBeNull()
  expect(refused(addDays(day, -3), addDays(day, 1))).toBe('to')
})

test('it has two years at most', () => {
  const from = '2022-02-17'
  expect(refused(from, addMonths(from, 24))).toBeNull()
  expect(refused(from, addDays(addMonths(from, 24), 1))).toBe('to')
})

test('it is computed month by month, each within its bounds', () => {
  expect(monthsOf({ from: '2024-01-31', to: '2024-03-01' })).toEqual([
    { from: '2024-01-31', to: '2024-02-01' },
    { from: '2024-02-01', to: '2024-03-01' },
  ])
  expect(monthsOf({ from: '2024-12-07', to: '2025-01-02' })).toEqual([
    { from: '2024-12-07', to: '2025-01-01' },
    { from: '2025-01-01', to: '2025-01-02' },
  ])
})

import { addDays, addMonths } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { splitIntoMonths } from './run-parts.ts'
import { requireRunPeriod } from './start-run.ts'

const getRefusal = (from: string, to: string) => {
  try {
    requireRunPeriod({ from, to })
  } catch (error) {
    return error instanceof AppError && error.issues?.[0]?.path
  }
  return null
}

test('requires at least one day', () => {
  expect(getRefusal('2025-03-07', '2025-03-07')).toBe('to')
  expect(getRefusal('2025-03-08', '2025-03-07')).toBe('to')
  expect(getRefusal('2025-03-07', '2025-03-08')).toBeNull()
})

test('refuses today', () => {
  const day = getToday()
  expect(getRefusal(addDays(day, -3), day)).toBeNull()
  expect(getRefusal(addDays(day, -3), addDays(day, 1))).toBe('to')
})

test('refuses more than two years', () => {
  const from = '2022-02-17'
  expect(getRefusal(from, addMonths(from, 24))).toBeNull()
  expect(getRefusal(from, addDays(addMonths(from, 24), 1))).toBe('to')
})

test('is computed month by month within its bounds', () => {
  expect(splitIntoMonths({ from: '2024-01-31', to: '2024-03-01' })).toEqual([
    { from: '2024-01-31', to: '2024-02-01' },
    { from: '2024-02-01', to: '2024-03-01' },
  ])
  expect(splitIntoMonths({ from: '2024-12-07', to: '2025-01-02' })).toEqual([
    { from: '2024-12-07', to: '2025-01-01' },
    { from: '2025-01-01', to: '2025-01-02' },
  ])
})

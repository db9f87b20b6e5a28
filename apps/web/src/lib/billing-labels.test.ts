import { expect, test } from 'vitest'
import {
  formatBilledKwh,
  formatBillingMonthTitle,
  formatSignedMoney,
  getPreviousMonth,
  sumMonthDifference,
} from './billing-labels.ts'

test('months by name, and the one before', () => {
  expect([formatBillingMonthTitle('2026-08'), getPreviousMonth('2026-08'), getPreviousMonth('2026-01')]).toEqual([
    'Août 2026',
    '2026-07',
    '2025-12',
  ])
})

test('figures as documents print them', () => {
  expect([formatBilledKwh(1_234_567), formatSignedMoney(1_205), formatSignedMoney(-317)]).toEqual([
    '1\u202f234,567\u00a0kWh',
    '+12,05\u00a0€',
    '−3,17\u00a0€',
  ])
  expect(sumMonthDifference({ days: 3, sun: -41, use: 7, key: 0, price: 11, other: -1 })).toBe(-21)
})

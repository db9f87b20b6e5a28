import { addDays } from '@voisol/money/days'
import { expect, test } from 'vitest'
import { getAccountingYear, getEndingYear, isInPeriod } from './accounting-year.ts'

test('assigns a month to the accounting year that ends in the expected year', () => {
  expect([getEndingYear('2026-06', 7), getEndingYear('2026-07', 7), getEndingYear('2026-12', 1)]).toEqual([
    2026, 2027, 2026,
  ])
  for (let yearStart = 1; yearStart <= 12; yearStart++)
    for (let day = '2025-01-01'; day < '2027-01-01'; day = addDays(day, 31)) {
      const span = getAccountingYear(getEndingYear(day.slice(0, 7), yearStart), yearStart)
      expect([day, yearStart, isInPeriod(span, `${day.slice(0, 7)}-01`)]).toEqual([day, yearStart, true])
    }
})

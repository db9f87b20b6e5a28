import { expect, test } from 'vitest'
import { buildPeriod, clipToKnownDays, describePreviousPeriod } from './period.ts'

const november = buildPeriod('month', '2026-11-15')

test('a period that is not over ends where the readings end', () => {
  expect(clipToKnownDays(november, '2026-11-13')).toEqual({ from: '2026-11-01', to: '2026-11-14' })
  expect(clipToKnownDays(november, null)).toEqual({ from: '2026-11-01', to: '2026-12-01' })
  expect(clipToKnownDays(november, '2026-10-20').to).toBe('2026-12-01')
  expect(clipToKnownDays(november, '2026-12-20').to).toBe('2026-12-01')
})

test('what it is compared with is named', () => {
  expect(describePreviousPeriod(november, november)).toBe('octobre 2026')
  expect(describePreviousPeriod(november, clipToKnownDays(november, '2026-11-13'))).toBe('la période précédente')
  const year = buildPeriod('year', '2026-11-15')
  expect(describePreviousPeriod(year, year)).toBe('l’année 2025')
  expect(describePreviousPeriod(year, clipToKnownDays(year, '2026-11-13'))).toBe('la même période de 2025')
  const day = buildPeriod('day', '2026-11-15')
  expect(describePreviousPeriod(day, day)).toBe('la veille')
})

import { expect, test } from 'vitest'
import {
  buildPeriod,
  changePeriodUnit,
  getPeriodOfLastYear,
  getPreviousPeriod,
  getTodayInParis,
  parsePeriod,
  shiftPeriod,
} from './period.ts'
import { formatDayRange, formatPeriodLabel, formatPeriodTitle } from './period-labels.ts'

test('each kind of period holds the day it is made from', () => {
  expect(buildPeriod('day', '2026-11-15')).toEqual({ unit: 'day', from: '2026-11-15', to: '2026-11-16' })
  expect(buildPeriod('week', '2026-11-15')).toEqual({ unit: 'week', from: '2026-11-09', to: '2026-11-16' })
  expect(buildPeriod('week', '2026-11-09').from).toBe('2026-11-09')
  expect(buildPeriod('month', '2028-02-29')).toEqual({ unit: 'month', from: '2028-02-01', to: '2028-03-01' })
  expect(buildPeriod('year', '2026-11-15')).toEqual({ unit: 'year', from: '2026-01-01', to: '2027-01-01' })
})

test('before and after keep the kind, across clock changes and year ends', () => {
  expect(shiftPeriod(buildPeriod('day', '2026-03-28'), 1).from).toBe('2026-03-29')
  expect(shiftPeriod(buildPeriod('day', '2026-10-25'), 1).from).toBe('2026-10-26')
  expect(shiftPeriod(buildPeriod('week', '2026-12-31'), 1)).toEqual({
    unit: 'week',
    from: '2027-01-04',
    to: '2027-01-11',
  })
  expect(shiftPeriod(buildPeriod('month', '2026-01-31'), 1)).toEqual({
    unit: 'month',
    from: '2026-02-01',
    to: '2026-03-01',
  })
  expect(getPreviousPeriod({ unit: 'range', from: '2026-11-03', to: '2026-11-13' })).toEqual({
    unit: 'range',
    from: '2026-10-24',
    to: '2026-11-03',
  })
})

test('last year compares like with like', () => {
  expect(getPeriodOfLastYear(buildPeriod('month', '2026-11-15')).from).toBe('2025-11-01')
  expect(getPeriodOfLastYear(buildPeriod('week', '2026-11-15'))).toEqual({
    unit: 'week',
    from: '2025-11-10',
    to: '2025-11-17',
  })
  expect(getPeriodOfLastYear(buildPeriod('day', '2028-02-29'))).toEqual({
    unit: 'day',
    from: '2027-02-28',
    to: '2027-03-01',
  })
  expect(getPeriodOfLastYear(buildPeriod('year', '2026-05-01')).to).toBe('2026-01-01')
})

test('changing the kind stays at today where the period holds it', () => {
  expect(changePeriodUnit(buildPeriod('month', '2026-11-01'), 'day', '2026-11-15').from).toBe('2026-11-15')
  expect(changePeriodUnit(buildPeriod('month', '2026-10-01'), 'day', '2026-11-15').from).toBe('2026-10-01')
  expect(changePeriodUnit(buildPeriod('month', '2026-10-01'), 'range', '2026-11-15').to).toBe('2026-11-01')
})

test('a period is said in French, and what both ends share is said once', () => {
  expect(formatPeriodLabel(buildPeriod('week', '2026-11-15'))).toBe('semaine du 9 au 15\u00a0novembre 2026')
  expect(formatPeriodLabel(buildPeriod('week', '2026-12-31'))).toBe(
    'semaine du 28\u00a0décembre 2026 au 3\u00a0janvier 2027',
  )
  expect(formatPeriodLabel(buildPeriod('week', '2026-10-31'))).toBe(
    'semaine du 26\u00a0octobre au 1er\u00a0novembre 2026',
  )
  expect(formatPeriodTitle(buildPeriod('day', '2026-11-01'))).toBe('Dimanche 1er\u00a0novembre 2026')
  expect(formatPeriodTitle(buildPeriod('month', '2026-08-15'))).toBe('Août 2026')
  expect(formatPeriodLabel(buildPeriod('year', '2026-08-15'))).toBe('année 2026')
  expect(formatDayRange('2026-11-03', '2026-11-03')).toBe('le 3\u00a0novembre 2026')
})

test('an address that makes no sense is refused, one inside a period finds its period', () => {
  expect(parsePeriod('week', '2026-11-12', null)).toEqual(buildPeriod('week', '2026-11-12'))
  expect(parsePeriod('range', '2026-11-12', '2026-11-20')?.to).toBe('2026-11-20')
  for (const [unit, from, to] of [
    ['hour', '2026-11-12', null],
    ['day', '2026-02-30', null],
    ['day', 'hier', null],
    ['range', '2026-11-12', '2026-11-12'],
    ['range', '1990-01-01', '2026-11-12'],
    ['range', '2026-11-12', null],
  ] as const)
    expect(parsePeriod(unit, from, to)).toBeNull()
})

test('today is the day in Paris', () => {
  expect(getTodayInParis(Date.UTC(2026, 10, 14, 23, 30))).toBe('2026-11-15')
})

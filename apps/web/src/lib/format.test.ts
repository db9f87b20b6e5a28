import { describe, expect, test } from 'vitest'
import {
  createEnergyFormatter,
  formatCount,
  formatDate,
  formatDateTime,
  formatEnergy,
  formatKwh,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPercent,
  formatPower,
  formatRelativeTime,
  formatTime,
  parseNumber,
} from './format.ts'

describe('quantities', () => {
  test('U+202F between thousands, U+00A0 before the unit', () => {
    expect(formatMoney(123456789)).toBe('1\u202f234\u202f567,89\u00a0€')
    expect(formatMoney(0)).toBe('0,00\u00a0€')
    expect(formatMoney(-150)).toBe('-1,50\u00a0€')
    expect(formatNumber(1234.5)).toBe('1\u202f234,5')
    expect(formatNumber(-0)).toBe('0')
    expect(formatNumber(2, 2)).toBe('2,00')
  })

  test('energy and power choose their unit, after rounding', () => {
    expect(formatEnergy(0)).toBe('0\u00a0Wh')
    expect(formatEnergy(999)).toBe('999\u00a0Wh')
    expect(formatEnergy(999.6)).toBe('1,0\u00a0kWh')
    expect(formatEnergy(12_345)).toBe('12,3\u00a0kWh')
    expect(formatEnergy(999_990)).toBe('1,00\u00a0MWh')
    expect(formatEnergy(-1_234_567)).toBe('-1,23\u00a0MWh')
    expect(formatEnergy(2_500_000_000)).toBe('2\u202f500,00\u00a0MWh')
    expect(formatPower(850)).toBe('850\u00a0W')
    expect(formatPower(36_000)).toBe('36,00\u00a0kW')
    expect(formatKwh(1234.56, 2)).toBe('1\u202f234,56\u00a0kWh')
  })

  test('percentages come from ratios', () => {
    expect(formatPercent(0.123)).toBe('12,3\u00a0%')
    expect(formatPercent(0.5)).toBe('50\u00a0%')
    expect(formatPercent(1, 2)).toBe('100,00\u00a0%')
  })

  test('0 and 1 are singular', () => {
    expect(formatCount(0, 'notification')).toBe('0\u00a0notification')
    expect(formatCount(1, 'notification')).toBe('1\u00a0notification')
    expect(formatCount(2, 'notification')).toBe('2\u00a0notifications')
    expect(formatCount(1200, 'point de livraison', 'points de livraison')).toBe('1\u202f200\u00a0points de livraison')
  })
})

describe('instants are shown in Paris', () => {
  test('winter, summer and the turn of the year', () => {
    expect(formatDate('2025-12-31T23:30:00Z')).toBe('01/01/2026')
    expect(formatDate('2026-06-01')).toBe('01/06/2026')
    expect(formatTime('2026-07-01T10:05:00Z')).toBe('12:05')
    expect(formatDateTime('2026-01-15T10:05:00Z')).toBe('15/01/2026 à\u00a011:05')
    expect(formatMonth('2026-06-30T22:30:00Z')).toBe('juillet 2026')
  })

  test('relative to now', () => {
    const now = '2026-06-10T12:00:00Z'
    expect(formatRelativeTime('2026-06-10T11:59:30Z', now)).toBe('à l’instant')
    expect(formatRelativeTime('2026-06-10T11:55:00Z', now)).toBe('il y a 5 minutes')
    expect(formatRelativeTime('2026-06-10T10:59:00Z', now)).toBe('il y a 1 heure')
    expect(formatRelativeTime('2026-06-09T11:00:00Z', now)).toBe('hier')
    expect(formatRelativeTime('2026-06-14T12:00:00Z', now)).toBe('dans 4 jours')
  })
})

test('figures in a row share the unit of the largest', () => {
  const told = createEnergyFormatter([21_290_000, 964_000])
  expect([told(21_290_000), told(964_000), createEnergyFormatter([])(0)]).toEqual([
    '21,29\u00a0MWh',
    '0,96\u00a0MWh',
    '0\u00a0Wh',
  ])
})

test('numbers are read as people type them', () => {
  for (const [text, value] of [
    ['1 234,5', 1234.5],
    ['1234.5', 1234.5],
    ['1\u202f234\u00a0567', 1234567],
    ['1.234,50', 1234.5],
    ['-2,5', -2.5],
    ['\u22122', -2],
    [',5', 0.5],
    ['1e3', null],
    ['', null],
    ['1,2,3', null],
    ['12 kWh', null],
  ] as const)
    expect(parseNumber(text)).toBe(value)
})

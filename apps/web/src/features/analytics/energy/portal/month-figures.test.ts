import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { describePointDifference, formatRoundedShare } from '@voisol/contract/month-sentences'
import { expect, test } from 'vitest'
import { getLocalPrice } from './month-figures.tsx'

const totals: PeriodEnergyTotals = {
  produced: 10_000,
  shared: 8000,
  pendingProduced: 0,
  pendingConsumed: 0,
  surplus: 2000,
  consumed: 20_000,
  allocated: 4000,
  complement: 16_000,
  selfConsumption: 0.8,
  selfProduction: 0.2,
  co2Grams: 32,
  valueCents: 50,
  unitPrice: 1_252,
}

test('two shares are compared in points', () => {
  expect(describePointDifference(0.42, 0.38)).toBe('4\u00a0points de plus')
  expect(describePointDifference(0.38, 0.39)).toBe('1\u00a0point de moins')
  expect(describePointDifference(0.384, 0.38)).toBe('autant')
})

test('the price of a kWh is the server’s, where something was local', () => {
  expect(getLocalPrice(totals, 'consumption')).toBe(1_252)
  expect(getLocalPrice(totals, 'production')).toBe(1_252)
  expect(getLocalPrice({ ...totals, unitPrice: null }, 'consumption')).toBeNull()
  expect(getLocalPrice({ ...totals, allocated: 0 }, 'consumption')).toBeNull()
})

test('a share that is not nothing is not told as nothing', () => {
  expect(formatRoundedShare(0.004)).toBe('0,4\u00a0%')
  expect(formatRoundedShare(0.424)).toBe('42\u00a0%')
  expect(formatRoundedShare(0)).toBe('0\u00a0%')
})

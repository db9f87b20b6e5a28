import { expect, test } from 'vitest'
import { computeProfitability, computeSavingsCents } from './compute-study.ts'
import type { StudyInputs } from './study-inputs.ts'

const prices: StudyInputs['project'] = {
  latitude: null,
  longitude: null,
  postalCode: '',
  method: 'default',
  localPrice: 1_377,
  gridPrice: 2_516,
  surplusPrice: 887,
  investmentPerKwc: 170_113,
  yearlyCosts: 31_457,
}

test('rounds both amounts to cents before subtracting, so that shown figures add up', () => {
  // 123.457 kWh: 31.0618 € at the supplier's price, 17.0000 € at the local price.
  expect(computeSavingsCents(123_457, prices)).toBe(3_106 - 1_700)
  // 1.837 kWh: 46.218… cents minus 25.295… cents; with the difference of both prices it would be 20.92…
  expect(computeSavingsCents(1_837, prices)).toBe(46 - 25)
  // 4.361 kWh: 109.72… cents minus 60.05… cents.
  expect(computeSavingsCents(4_361, prices)).toBe(110 - 60)
  // 2.941 kWh: 73.99… cents minus 40.49… cents; with the difference of both prices it would be 33.49…
  expect(computeSavingsCents(2_941, prices)).toBe(74 - 40)
  // 0.549 kWh: 13.81… cents minus 7.55… cents.
  expect(computeSavingsCents(549, prices)).toBe(14 - 8)
})

test('computes income, investment and payback in years', () => {
  const { investmentCents, incomeCents, payback } = computeProfitability(
    { allocated: 9_123_457, surplus: 3_217_891, watts: 9_177 },
    prices,
  )
  expect(investmentCents).toBe(1_561_127)
  expect(incomeCents).toBe(125_630 + 28_543)
  // 1 561 127 ÷ (154 173 − 31 457) is 12.72…
  expect(payback).toBe(12.7)
  const floored = computeProfitability({ allocated: 9_123_457, surplus: 3_217_891, watts: 9_217 }, prices)
  // 1 567 931.5 cents; 12.777 years.
  expect([floored.investmentCents, floored.payback]).toEqual([1_567_932, 12.8])
})

test('has no payback when costs exceed income', () => {
  const made = (yearlyCosts: number) =>
    computeProfitability({ allocated: 1_000_007, surplus: 0, watts: 3_001 }, { ...prices, yearlyCosts })
  const { incomeCents } = made(0)
  expect(made(incomeCents).payback).toBeNull()
  expect(made(incomeCents + 1).payback).toBeNull()
  expect(made(incomeCents - 1).payback).toBeGreaterThan(0)
})

import { expect, test } from 'vitest'
import { centsOf, type Figures, totalsOf, toWh } from './totals.ts'

const FACTORS = { CO2_GRID_GRAMS: 52, CO2_SOLAR_GRAMS: 43.9, CO2_SOURCE: '' }

test.each([
  [1, 0.017],
  [2, 0.033],
  [49, 0.817],
  [59, 0.983],
  [7_229, 120.483],
  [7_231, 120.517],
])('%d watt-minutes are %d Wh, to the nearest thousandth', (wattMinutes, wh) => {
  expect(toWh(wattMinutes)).toBe(wh)
})

test.each([
  // 0.123 45 kWh at 0.1377 € is 0.016 999 065 €.
  [7_407, 1_377, 1.7],
  // 12.345 7 kWh at 0.0999 € is 1.233 335 43 €.
  [740_742, 999, 123.33],
  // 87.654 3 kWh at 0.1213 € is 10.632 466 59 €.
  [5_259_258, 1_213, 1_063.25],
])('%d watt-minutes at %d ten-thousandths are %d cents, to the nearest hundredth', (local, unitPrice, cents) => {
  expect(centsOf(local, unitPrice)).toBe(cents)
})

const read = { energy: 0, present: 0, expected: 0, days: 0, holes: false, quality: 0 }
const run = { total: 0, local: 0, excluded: 0, steps: 0 }

function figures(local: number, unitPrice: number | null, consumes = true): Figures {
  return {
    operationId: '',
    unitPrice,
    consumes,
    read: { produced: { ...read, energy: 9_017 }, consumed: { ...read, energy: 8_011 } },
    run: { consumed: { ...run, total: 7_919, local }, produced: { ...run, total: 6_007, local: local - 11 } },
  }
}

test('a total is rounded once, whatever the number of operations', () => {
  expect(totalsOf([figures(1_001, 1_377), figures(2_003, 1_213)], FACTORS)).toEqual({
    produced: 300.567,
    shared: 49.7,
    surplus: 150.533,
    consumed: 267.033,
    allocated: 50.067,
    complement: 213.9,
    selfConsumption: 2_982 / 12_014,
    selfProduction: 3_004 / 15_838,
    co2Grams: 0,
    valueCents: 0.63,
  })
})

test('the value of producers alone is that of what was shared of theirs', () => {
  expect(totalsOf([figures(7_418, 1_377, false)], FACTORS).valueCents).toBe(1.7)
  expect(totalsOf([figures(7_418, 1_377)], FACTORS).valueCents).toBe(centsOf(7_418, 1_377))
})

test('a price that is not known leaves no value, rather than a part of it', () => {
  expect(totalsOf([figures(1_001, 1_377), figures(2_003, null)], FACTORS).valueCents).toBeNull()
  expect(totalsOf([], FACTORS).valueCents).toBeNull()
})

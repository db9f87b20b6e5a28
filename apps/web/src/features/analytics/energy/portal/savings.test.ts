import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { expect, test } from 'vitest'
import { computeSaving } from './savings.tsx'

const totals = (more: Partial<PeriodEnergyTotals>): PeriodEnergyTotals => ({
  produced: 0,
  shared: 0,
  surplus: 0,
  pendingProduced: 0,
  consumed: 310_000,
  allocated: 127_400,
  complement: 182_600,
  pendingConsumed: 0,
  selfConsumption: null,
  selfProduction: 0.41,
  co2Grams: 0,
  valueCents: 1529,
  unitPrice: 1200,
  ...more,
})

test('the local kWh, times what separates the two prices', () => {
  const saving = computeSaving(totals({}), 2016)
  expect(saving).toMatchObject({ localPrice: 1200, supplierPrice: 2016 })
  // 127,4 kWh × 20,16 c€ = 25,68384 €, of which 15,29 € are paid.
  expect(saving?.cents).toBe(2568 - 1529)
})

test('a local price above the supplier’s is a loss, and is said as one', () => {
  expect(computeSaving(totals({}), 1000)?.cents).toBe(1274 - 1529)
})

test('a quarter of a watt-hour is no reason to fail', () => {
  expect(computeSaving(totals({ allocated: 127_400.25 }), 2016)?.cents).toBe(2568 - 1529)
})

test('without one of the prices there is no figure', () => {
  expect(computeSaving(totals({}), null)).toBeNull()
  expect(computeSaving(totals({ valueCents: null }), 2016)).toBeNull()
  expect(computeSaving(totals({ allocated: 0, valueCents: 0 }), 2016)).toBeNull()
})

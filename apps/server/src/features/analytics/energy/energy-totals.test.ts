import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeEnergyTotals, type OperationFigures, splitEnergy, toWh } from './energy-totals.ts'

const FACTORS = { CO2_GRID_GRAMS: 52, CO2_SOLAR_GRAMS: 43.9, CO2_SOURCE: '' }

describe('watt-hours', () => {
  test.each([
    [1, 0.017],
    [2, 0.033],
    [7, 0.117],
    [59, 0.983],
    [60, 1],
    [61, 1.017],
    [8_640_001, 144_000.017],
    [8_639_998, 143_999.967],
  ])('converts %i watt-minutes to %d Wh, to the nearest thousandth', (wattMinutes, wh) => {
    expect(toWh(wattMinutes)).toBe(wh)
  })

  const energy = fc.integer({ min: 0, max: 1_000_000_000_000 })
  test('are never more than half a thousandth off', () => {
    fc.assert(
      fc.property(energy, (wattMinutes) => {
        const thousandths = Math.round(toWh(wattMinutes) * 1000)
        expect(Math.abs(60 * thousandths - 1000 * wattMinutes)).toBeLessThanOrEqual(30)
      }),
    )
  })
  test('of a deficit are those of the surplus with the opposite sign', () => {
    fc.assert(
      fc.property(energy, (wattMinutes) => {
        expect(toWh(-wattMinutes) + toWh(wattMinutes)).toBe(0)
      }),
    )
  })
})

const read = { energy: 0, present: 0, expected: 0, days: 0, holes: false, quality: 0, estimated: 0, seen: 0 }
const run = { total: 0, local: 0, excluded: 0, steps: 0, given: 0 }

function figures(local: number, unitPrice: number | null, consumes = true): OperationFigures {
  return {
    operationId: '',
    unitPrice,
    consumes,
    stores: false,
    read: { produced: { ...read, energy: 9_017 }, consumed: { ...read, energy: 8_011 }, charged: read, released: read },
    run: {
      consumed: { ...run, total: 7_919, local },
      produced: { ...run, total: 6_007, local: local - 11 },
      charged: run,
      released: run,
    },
  }
}

test('shows battery energy apart and counts it in no other sum', () => {
  const own = figures(2_003, 1_377)
  const battery = {
    ...own,
    stores: true,
    read: { ...own.read, charged: { ...read, energy: 3_019 }, released: { ...read, energy: 1_993 } },
    run: {
      ...own.run,
      // 1 992 from production: 2 003 received + 503 stored − 514 released.
      charged: { ...run, total: 2_917, local: 503 },
      released: { ...run, total: 1_901, local: 514 },
    },
  }
  const { storage, ...totals } = computeEnergyTotals([battery], FACTORS)
  expect(totals).toEqual(computeEnergyTotals([own], FACTORS))
  expect(storage).toEqual({
    charged: 50.317,
    stored: 8.383,
    pendingCharged: 1.7,
    released: 33.217,
    restored: 8.567,
    pendingReleased: 1.533,
    whole: true,
  })
  const apart = { ...battery, run: { ...battery.run, produced: { ...battery.run.produced, local: 1_991 } } }
  expect(computeEnergyTotals([apart], FACTORS).storage?.whole).toBe(false)
})

test('rounds a total once, for any number of operations', () => {
  expect(computeEnergyTotals([figures(1_001, 1_377), figures(2_003, 1_213)], FACTORS)).toEqual({
    produced: 300.567,
    shared: 49.7,
    surplus: 150.533,
    pendingProduced: 100.333,
    consumed: 267.033,
    allocated: 50.067,
    complement: 213.9,
    pendingConsumed: 3.067,
    selfConsumption: 2_982 / 12_014,
    selfProduction: 3_004 / 15_838,
    co2Grams: 0,
    valueCents: 1,
    unitPrice: 1_268,
  })
})

test('values producers alone by the energy they shared', () => {
  // 140,65 and, with eleven watt-minutes less, 140,47 cents.
  expect(computeEnergyTotals([figures(8_439, 99_999)], FACTORS).valueCents).toBe(141)
  expect(computeEnergyTotals([figures(8_439, 99_999, false)], FACTORS).valueCents).toBe(140)
})

test('rounds a value to whole cents once over all operations, half up', () => {
  const value = (...parts: [number, number][]) =>
    computeEnergyTotals(
      parts.map(([local, unitPrice]) => figures(local, unitPrice)),
      FACTORS,
    ).valueCents
  expect(value([3_000, 1_000])).toBe(1)
  expect(value([2_999, 1_000])).toBe(0)
  // 0,4 and 0,4 cents: each rounds to zero, together to one.
  expect(value([2_400, 1_000], [1_200, 2_000])).toBe(1)
  // 3 000 000 MWh at a high price: more than a double holds exactly.
  expect(value([180_000_000_000_001, 123_457])).toBe(3_703_710_000_000)
})

test('averages the price over local energy, and keeps a single price as it is', () => {
  const price = (...parts: [number, number | null][]) =>
    computeEnergyTotals(
      parts.map(([local, unitPrice]) => figures(local, unitPrice)),
      FACTORS,
    ).unitPrice
  expect(price([7, 1_377])).toBe(1_377)
  expect(price([1_001, 1_377], [3_003, 1_213])).toBe(1_254)
  expect(price([1_001, 1_377], [3_003, null])).toBeNull()
  expect(price([0, 1_377])).toBeNull()
  expect(price()).toBeNull()
})

test('gives no value when a price is unknown', () => {
  expect(computeEnergyTotals([figures(1_001, 1_377), figures(2_003, null)], FACTORS).valueCents).toBeNull()
  expect(computeEnergyTotals([], FACTORS).valueCents).toBeNull()
})

test('splits metered energy into local, rest and not yet allocated, which add up', () => {
  fc.assert(
    fc.property(fc.nat(1e12), fc.nat(1e12), fc.nat(1e12), (energy, local, rest) => {
      const parts = splitEnergy(energy, { total: local + rest, local })
      expect(parts.local + parts.rest + parts.pending).toBe(parts.whole)
      expect([parts.pending >= 0, parts.whole >= energy]).toEqual([true, true])
      if (energy >= local + rest) expect(parts.whole).toBe(energy)
    }),
  )
})

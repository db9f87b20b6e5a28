import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centsOf, toWh } from './totals.ts'

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
  ])('%i watt-minutes are %d Wh, to the nearest thousandth', (wattMinutes, wh) => {
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
  test('of a deficit are those of the surplus, with the other sign', () => {
    fc.assert(
      fc.property(energy, (wattMinutes) => {
        expect(toWh(-wattMinutes) + toWh(wattMinutes)).toBe(0)
      }),
    )
  })
})

describe('cents', () => {
  test.each([
    [60_000, 1743, 17.43],
    [59_999, 1743, 17.43],
    [59_983, 1743, 17.43],
    [59_982, 1743, 17.42],
    [34, 1743, 0.01],
    [17, 1743, 0],
    [18, 1743, 0.01],
    [29_999, 1, 0],
    [30_000, 1, 0.01],
    [7_654_321, 1279, 1631.65],
  ])('%i watt-minutes at %i ten-thousandths of a euro are worth %d', (local, unitPrice, cents) => {
    expect(centsOf(local, unitPrice)).toBe(cents)
  })

  test('are never more than half a hundredth off', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.nat(9999), (local, unitPrice) => {
        const hundredths = BigInt(Math.round(centsOf(local, unitPrice) * 100))
        const off = hundredths * 60_000n - BigInt(local) * BigInt(unitPrice)
        expect(off <= 30_000n && off >= -30_000n).toBe(true)
      }),
    )
  })
})

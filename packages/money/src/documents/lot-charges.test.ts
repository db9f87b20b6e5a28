import { expect, test } from 'vitest'
import { apportionByWeight } from './lot-charges.ts'

test('100,03 € over 3, 5 and 7 shares: each cent goes to the largest remainder, and none is lost', () => {
  // 20,006 · 33,343… · 46,680…: one cent is left after the floors, and the first remainder is the largest.
  expect(apportionByWeight(10_003, [3, 5, 7])).toEqual([2001, 3334, 4668])
})

test('equal lots: the cents left go to the first ones', () => {
  expect(apportionByWeight(1000, [1, 1, 1])).toEqual([334, 333, 333])
  expect(apportionByWeight(2, [1, 1, 1])).toEqual([1, 1, 0])
})

test('a credit is divided as the charge it reverses, and zero is never -0', () => {
  expect(apportionByWeight(-10_003, [3, 5, 7])).toEqual([-2001, -3334, -4668])
  expect(apportionByWeight(-1, [1, 0])).toEqual([-1, 0])
  expect(apportionByWeight(0, [4, 9]).map((unit) => Object.is(unit, 0))).toEqual([true, true])
})

test('any charge over any lots sums to itself, each within a cent of its exact share', () => {
  let seed = 20_261
  const next = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % most
  }
  for (let round = 0; round < 200; round++) {
    const weights = Array.from({ length: 1 + next(60) }, () => next(997))
    weights[0] = 1 + (weights[0] ?? 0)
    const total = next(3_000_001) - 1_500_000
    const whole = weights.reduce((sum, weight) => sum + weight, 0)
    const units = apportionByWeight(total, weights)
    expect(units.reduce((sum, unit) => sum + unit, 0)).toBe(total)
    for (const [at, unit] of units.entries())
      expect(Math.abs(unit * whole - total * (weights[at] ?? 0))).toBeLessThan(whole)
  }
})

test('refuses weights that are all zero, or negative', () => {
  expect(() => apportionByWeight(5, [])).toThrow(RangeError)
  expect(() => apportionByWeight(5, [0, 0])).toThrow(RangeError)
  expect(() => apportionByWeight(5, [3, -1])).toThrow(RangeError)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundProduct, roundRatio, toRatio, toSafeInteger } from './exact-numbers.ts'

test.each([
  [1, 2, 1n],
  [-1, 2, -1n],
  [3, 2, 2n],
  [-3, 2, -2n],
  [49, 100, 0n],
  [-49, 100, 0n],
  [5, 10, 1n],
  [7, 3, 2n],
  [8, 3, 3n],
  [0, 7, 0n],
])('R(%i / %i) is %i', (num, den, rounded) => {
  expect(roundRatio(toRatio(num, den))).toBe(rounded)
})

test('the result is within a half, and symmetrical around zero', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), fc.bigInt(1n, 10n ** 12n), (num, den) => {
      const rounded = roundRatio({ num, den })
      const away = 2n * (rounded * den - num)
      expect(away <= den && away >= -den).toBe(true)
      expect(roundRatio({ num: -num, den })).toBe(-rounded)
    }),
  )
})

test('a product larger than a safe integer is exact', () => {
  expect(roundProduct([999_999_999_999, 99_999], 100_000)).toBe(999_989_999_999)
  expect(roundProduct([9_007_199_254_740_991, 9_999], 10_000)).toBe(9_006_298_534_815_517)
})

test('a result beyond a safe integer is refused, and so is a fraction', () => {
  expect(() => toSafeInteger(9_007_199_254_740_993n)).toThrow(RangeError)
  expect(() => roundProduct([0.5], 1)).toThrow(RangeError)
})

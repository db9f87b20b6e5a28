import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addRatios,
  compareRatios,
  floorRatio,
  formatRatio,
  multiplyRatios,
  parseRatio,
  reduceRatio,
  toRatio,
} from './exact-numbers.ts'

test.each([
  ['118.37', '11837/100'],
  ['-7', '-7'],
  ['100/3', '100/3'],
  ['-6/4', '-3/2'],
  ['0.50', '1/2'],
  ['12/4', '3'],
])('%s is %s', (text, written) => {
  expect(formatRatio(parseRatio(text))).toBe(written)
})

test.each(['', '1,5', '1e3', 'NaN', '1/-2', '.5', '5.'])('%j is refused as a number', (text) => {
  expect(() => parseRatio(text)).toThrow(RangeError)
})

test('the sign is in the numerator, and a zero denominator is refused', () => {
  expect(toRatio(3, -7)).toEqual({ num: -3n, den: 7n })
  expect(() => toRatio(1, 0)).toThrow(RangeError)
})

const part = fc
  .tuple(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.bigInt(1n, 10n ** 9n))
  .map(([num, den]) => ({ num, den }))

test('sums and products are exact', () => {
  fc.assert(
    fc.property(part, part, (a, b) => {
      expect(compareRatios(addRatios(a, b), { num: a.num * b.den + b.num * a.den, den: a.den * b.den })).toBe(0)
      expect(compareRatios(multiplyRatios(a, b), { num: a.num * b.num, den: a.den * b.den })).toBe(0)
      expect(compareRatios(reduceRatio(a), a)).toBe(0)
      expect(compareRatios(a, b)).toBe(-compareRatios(b, a) + 0)
    }),
  )
})

test('the floor is below, by less than one', () => {
  fc.assert(
    fc.property(part, (value) => {
      const whole = floorRatio(value)
      expect(compareRatios({ num: whole, den: 1n }, value)).toBeLessThanOrEqual(0)
      expect(compareRatios({ num: whole + 1n, den: 1n }, value)).toBe(1)
    }),
  )
})

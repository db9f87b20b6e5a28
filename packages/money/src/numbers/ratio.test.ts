import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, floor, plus, ratio, readRatio, reduce, times, writeRatio } from './ratio.ts'

test.each([
  ['118.37', '11837/100'],
  ['-7', '-7'],
  ['100/3', '100/3'],
  ['-6/4', '-3/2'],
  ['0.50', '1/2'],
  ['12/4', '3'],
])('%s is %s', (text, written) => {
  expect(writeRatio(readRatio(text))).toBe(written)
})

test.each(['', '1,5', '1e3', 'NaN', '1/-2', '.5', '5.'])('%j is no number', (text) => {
  expect(() => readRatio(text)).toThrow(RangeError)
})

test('the sign stands above, and nothing is over zero', () => {
  expect(ratio(3, -7)).toEqual({ num: -3n, den: 7n })
  expect(() => ratio(1, 0)).toThrow(RangeError)
})

const part = fc
  .tuple(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.bigInt(1n, 10n ** 9n))
  .map(([num, den]) => ({ num, den }))

test('sums and products are exact', () => {
  fc.assert(
    fc.property(part, part, (a, b) => {
      expect(compare(plus(a, b), { num: a.num * b.den + b.num * a.den, den: a.den * b.den })).toBe(0)
      expect(compare(times(a, b), { num: a.num * b.num, den: a.den * b.den })).toBe(0)
      expect(compare(reduce(a), a)).toBe(0)
      expect(compare(a, b)).toBe(-compare(b, a) + 0)
    }),
  )
})

test('the floor is below, by less than one', () => {
  fc.assert(
    fc.property(part, (value) => {
      const whole = floor(value)
      expect(compare({ num: whole, den: 1n }, value)).toBeLessThanOrEqual(0)
      expect(compare({ num: whole + 1n, den: 1n }, value)).toBe(1)
    }),
  )
})

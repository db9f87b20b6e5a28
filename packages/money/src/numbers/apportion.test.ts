import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apportion, apportionRoundedSum, compareRatios, parseRatio } from './exact-numbers.ts'

const shares = (...texts: string[]) => texts.map(parseRatio)

test.each([
  ['halves go to those that stand first', ['1/2', '1/2', '1/2', '1/2'], [1, 1, 0, 0]],
  ['equal fractions go to the larger share', ['7/2', '1/2', '5/2'], [4, 0, 3]],
  ['the largest fraction first', ['10/3', '5/3', '7'], [3, 2, 7]],
  ['halves of different writing are equal', ['2/4', '5/10', '3/2'], [1, 0, 2]],
  ['nothing for nobody', [], []],
])('%s', (_, texts, units) => {
  expect(apportionRoundedSum(shares(...texts)).units).toEqual(units)
})

test('half a unit in total is rounded up to one', () => {
  expect(apportionRoundedSum(shares('1/4', '1/4'))).toEqual({ total: 1, units: [1, 0] })
  expect(apportionRoundedSum(shares('1/4', '1/5'))).toEqual({ total: 0, units: [0, 0] })
})

test('refuses a total that the shares cannot add up to', () => {
  expect(() => apportion(shares('1/2'), 2)).toThrow(RangeError)
  expect(() => apportion(shares('5/2'), 1)).toThrow(RangeError)
})

test('units sum to the total, and each is less than one from its exact share', () => {
  const share = fc.tuple(fc.bigInt(0n, 10n ** 12n), fc.bigInt(1n, 10n ** 6n)).map(([num, den]) => ({ num, den }))
  fc.assert(
    fc.property(fc.array(share, { maxLength: 40 }), (parts) => {
      const { total, units } = apportionRoundedSum(parts)
      expect(units.reduce((sum, unit) => sum + unit, 0)).toBe(total)
      for (const [at, part] of parts.entries()) {
        const unit = BigInt(units[at] ?? 0)
        expect(compareRatios({ num: unit - 1n, den: 1n }, part)).toBe(-1)
        expect(compareRatios({ num: unit + 1n, den: 1n }, part)).toBe(1)
      }
    }),
  )
})

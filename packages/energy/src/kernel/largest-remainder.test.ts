import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeExactQuotient, computeExactRemainder } from './division.ts'
import { splitByWeight } from './largest-remainder.ts'

function split(total: number, ...weights: number[]): number[] {
  const parts = new Float64Array(weights.length)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  splitByWeight(total, Float64Array.from(weights), whole, parts)
  return [...parts]
}

describe('largest remainder', () => {
  test('gives each its floor, then the units left to the largest remainders', () => {
    // 4,17 · 3,33 · 2,5: the remainder of one half gets the first unit.
    expect(split(10, 5, 4, 3)).toEqual([4, 3, 3])
    // 5,94 · 2,97 · 2,08: both remainders above 0,9 get a unit.
    expect(split(11, 20, 10, 7)).toEqual([6, 3, 2])
  })
  test('among equal remainders the first index is served first', () => {
    expect(split(1, 3, 3, 3)).toEqual([1, 0, 0])
    expect(split(5, 3, 3, 3)).toEqual([2, 2, 1])
    expect(split(1, 0, 3, 3)).toEqual([0, 1, 0])
  })
  test('handles zero to split and nobody to receive it', () => {
    expect(split(0, 5, 7)).toEqual([0, 0])
    expect(split(0, 0, 0)).toEqual([0, 0])
    expect(split(12, 5, 7)).toEqual([5, 7])
  })
  test('every part is within a unit of its exact share, and parts sum to the total', () => {
    const weights = fc.array(fc.nat(200_000_000), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(weights, fc.nat(1_000_000), (own, part) => {
        const whole = own.reduce((sum, weight) => sum + weight, 0)
        const total = Number((BigInt(whole) * BigInt(part)) / 1_000_000n)
        const parts = split(total, ...own)
        expect(parts.reduce((sum, one) => sum + one, 0)).toBe(total)
        for (const [i, one] of parts.entries()) {
          const exact = BigInt(own[i] ?? 0) * BigInt(total)
          const off = BigInt(one) * BigInt(whole) - exact
          expect(off < BigInt(Math.max(1, whole)) && -off < BigInt(Math.max(1, whole))).toBe(true)
        }
      }),
    )
  })
})

describe('exact products and quotients', () => {
  const large = fc.integer({ min: 1, max: 0x7fffffff })
  test('the quotient is the exact floor, where that of a double is off by one', () => {
    fc.assert(
      fc.property(large, large, large, (w, n, d) => {
        const [low, high] = [Math.min(n, d), Math.max(n, d)]
        const exact = (BigInt(w) * BigInt(low)) / BigInt(high)
        expect(BigInt(computeExactQuotient(w, low, high))).toBe(exact)
        const rest = BigInt(w) * BigInt(low) - exact * BigInt(high)
        expect(BigInt(computeExactRemainder(w, low, Number(exact), high))).toBe(rest)
      }),
      { numRuns: 2000 },
    )
    // The first is just below a whole unit and a double rounds it up; in the second the double comes out too low.
    expect(computeExactQuotient(1_935_564_466, 1_322_914_097, 0x7fffffff)).toBe(1_192_365_548)
    expect(computeExactQuotient(1_511_519_480, 1_528_793_698, 1_528_793_698)).toBe(1_511_519_480)
    expect(computeExactQuotient(6, 7, 7)).toBe(6)
    expect(computeExactQuotient(5, 7, 9)).toBe(3)
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeProportionalShares, WHOLE_SHARE } from './keys.ts'

test('proportional shares sum to one, to the millionth', () => {
  expect(computeProportionalShares([1, 1, 1])).toEqual([333_334, 333_333, 333_333])
  expect(computeProportionalShares([811, 419, 307])).toEqual([527_651, 272_609, 199_740])
  expect(computeProportionalShares([0, 0])).toEqual([0, 0])
  expect(computeProportionalShares([0, 7])).toEqual([0, WHOLE_SHARE])
})

test('each is within a millionth of its exact share, however large the weights', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 2 ** 45 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(weights, (all) => {
      const shares = computeProportionalShares(all)
      const whole = all.reduce((sum, weight) => sum + BigInt(weight), 0n)
      if (whole === 0n) return
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(WHOLE_SHARE)
      for (const [at, share] of shares.entries()) {
        const floor = Number((BigInt(all[at] ?? 0) * BigInt(WHOLE_SHARE)) / whole)
        expect(share === floor || share === floor + 1).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

import { expect, test } from 'vitest'
import { ANNUAL_DISCOUNT, PLANS } from './plan-prices.ts'

test('a year costs twelve months less the discount, cut to the euro', () => {
  for (const { month, year } of [PLANS.starter, PLANS.professional])
    expect(year).toBe(Math.floor((month * 12 * (100 - ANNUAL_DISCOUNT)) / 10_000) * 100)
})

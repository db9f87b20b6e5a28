import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom, getPropertyRuns, randomMonth } from '../month/testing/random-months.ts'
import { buildCells, buildMember, buildOctober, computeOctoberBill } from '../month/testing/small-month.ts'
import { computeDailyWh } from './line-breakdown.ts'

test('the daily energy of a member sums to what is billed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0 }).map((seed) => randomMonth(createRandom(seed))),
      (input) => {
        const whole = { ...input, resolutionWh: 1 }
        const { units } = computeOctoberBill(whole)
        for (const [id, days] of computeDailyWh(whole, units))
          expect(days.reduce((sum, day) => sum + day, 0)).toBe(units.get(id) ?? 0)
      },
    ),
    getPropertyRuns(60),
  )
})

test('each day shows its own energy', () => {
  const input = buildOctober({ members: [buildMember(1)], cells: [buildCells('M1', { 3: 3_000_026, 7: 61 })] })
  const days = computeDailyWh(input, computeOctoberBill(input).units).get('M1')
  expect([days?.[2], days?.[3], days?.[6], days?.[7]].filter((wh) => wh !== 0)).toEqual([50_000, 1])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomMonth, randomOf, runs } from '../month/testing/random-months.ts'
import { billed, cells, member, october } from '../month/testing/small-month.ts'
import { dailyWh } from './daily.ts'

test('the days of a member sum to what is billed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0 }).map((seed) => randomMonth(randomOf(seed))),
      (input) => {
        const whole = { ...input, resolutionWh: 1 }
        const { units } = billed(whole)
        for (const [id, days] of dailyWh(whole, units))
          expect(days.reduce((sum, day) => sum + day, 0)).toBe(units.get(id) ?? 0)
      },
    ),
    runs(60),
  )
})

test('each day is its own energy', () => {
  const input = october({ members: [member(1)], cells: [cells('M1', { 3: 3_000_026, 7: 61 })] })
  const days = dailyWh(input, billed(input).units).get('M1')
  expect([days?.[2], days?.[3], days?.[6], days?.[7]].filter((wh) => wh !== 0)).toEqual([50_000, 1])
})

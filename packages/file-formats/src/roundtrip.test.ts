import { addDays, dayStart, stepsOfDay } from '@voisol/energy/calendar'
import { MISSING, STEPS } from '@voisol/energy/series'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatParisClock, formatParisIso, getWattsByDay, OTHER_PRM, PRM, parseFixture } from './fixtures.ts'

const value = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 30_000_000 }) },
  { weight: 1, arbitrary: fc.constant(MISSING) },
)
const FIRST_DAYS = ['2026-03-28', '2025-10-25', '2024-02-28', '2026-12-31', '2026-06-15']

const sample = fc
  .record({
    first: fc.constantFrom(...FIRST_DAYS),
    days: fc.integer({ min: 2, max: 3 }),
    step: fc.constantFrom(...STEPS),
    stamp: fc.constantFrom('start' as const, 'end' as const),
    write: fc.constantFrom(formatParisClock, formatParisIso),
  })
  .chain((plan) => {
    const days = Array.from({ length: plan.days }, (_, n) => addDays(plan.first, n))
    const length = days.reduce((sum, day) => sum + stepsOfDay(day, plan.step), 0)
    const column = fc.array(value, { minLength: length, maxLength: length })
    return fc.record({ plan: fc.constant(plan), days: fc.constant(days), columns: fc.tuple(column, column) })
  })

test('a table that is written and read again gives the same days, whatever the step, the convention and the clock', () => {
  fc.assert(
    fc.property(sample, ({ plan, days, columns }) => {
      const opens = dayStart(plan.first)
      const rows = columns[0].map((_, n) => {
        const stamp = plan.write(opens + n * plan.step + (plan.stamp === 'end' ? plan.step : 0))
        return [stamp, ...columns.map((column) => (column[n] === MISSING ? '' : column[n]))].join(';')
      })
      const file = parseFixture([`Horodate;${PRM} (W);${OTHER_PRM} (W)`, ...rows].join('\n'))
      expect(file.detected).toMatchObject({ stamp: plan.stamp, stampCertain: false, steps: [plan.step] })
      for (const [at, column] of columns.entries()) {
        let from = 0
        const expected: Record<string, number[]> = {}
        for (const day of days) {
          const watts = column.slice(from, from + stepsOfDay(day, plan.step))
          from += watts.length
          if (watts.some((one) => one !== MISSING)) expected[day] = watts
        }
        expect(getWattsByDay(file, at)).toEqual(expected)
      }
      expect(file.problems.filter(({ code }) => code !== 'gap')).toEqual([])
    }),
    { numRuns: 150 },
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getPropertyRuns } from '../kernel/testing/property-checks.ts'
import { countMissing, MISSING, STEPS, sumKnown, toEnergySteps } from './series.ts'

const startsAt = 29_000_040
const watts = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.nat(36_000) }, { weight: 1, arbitrary: fc.constant(MISSING) }),
  {
    minLength: 1,
    maxLength: 6,
  },
)
const step = fc.constantFrom(...STEPS)

test('resampling conserves energy, and an unknown part makes the whole step unknown', () => {
  fc.assert(
    fc.property(watts, step, step, (pattern, from, to) => {
      const values = Int32Array.from(
        { length: (pattern.length * 60) / from },
        (_, at) => pattern[at % pattern.length] ?? 0,
      )
      const energy = toEnergySteps({ startsAt, step: from, watts: values }, to)
      expect(energy).toHaveLength((values.length * from) / to)
      if (!values.includes(MISSING)) expect(sumKnown(energy)).toBe(sumKnown(values) * from)
      for (const [at, value] of energy.entries()) {
        const parts = Array.from({ length: to / 5 }, (_, part) => values[Math.floor((at * to + part * 5) / from)] ?? 0)
        expect(value).toBe(parts.includes(MISSING) ? MISSING : parts.reduce((sum, part) => sum + part * 5, 0))
      }
    }),
    getPropertyRuns(10_000),
  )
})

test('ten minutes to a quarter hour goes through five minutes', () => {
  const series = { startsAt, step: 10, watts: Int32Array.of(1, 2, 3) } as const
  expect([...toEnergySteps(series, 15)]).toEqual([10 + 2 * 5, 5 * 2 + 30])
  expect([...toEnergySteps(series, 30)]).toEqual([60])
})

test('bounds off the target step are refused', () => {
  expect(() => toEnergySteps({ startsAt, step: 10, watts: new Int32Array(2) }, 15)).toThrow(RangeError)
  expect(() => toEnergySteps({ startsAt: startsAt + 10, step: 10, watts: new Int32Array(3) }, 15)).toThrow(RangeError)
})

test('a missing step counts as missing and never as zero', () => {
  const values = Int32Array.of(5, MISSING, 0, 7)
  expect(sumKnown(values)).toBe(12)
  expect(countMissing(values)).toBe(1)
})

test('the energy of a step has 31 bits at most', () => {
  const hour = (watts: number) => toEnergySteps({ startsAt, step: 60, watts: Int32Array.of(watts) }, 60)
  expect([...hour(35_791_394)]).toEqual([2_147_483_640])
  expect(() => hour(35_791_395)).toThrow(RangeError)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocateEnergy } from '../kernel/allocate.ts'
import { assertEqual, getKeyOfInput, getPropertyRuns, PROPERTY_TIMEOUT_MS } from '../kernel/testing/property-checks.ts'
import { arbitraryOperation } from '../kernel/testing/random-operations.ts'
import { MISSING } from '../series/series.ts'
import { findUncoveredSteps } from './key-coverage.ts'
import { KEY_METHODS } from './keys.ts'

const always = (id: string, steps: number) => ({ id, active: [[0, steps]] as [number, number][] })

describe('steps that a key leaves to the default rule', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  test.each(KEY_METHODS)(
    '%s: with every value known, the steps reported are those that the kernel counts',
    (method) => {
      fc.assert(
        fc.property(arbitraryOperation([method], true, { steps: 9 }), (input) => {
          const uncovered = findUncoveredSteps(getKeyOfInput(input), input.steps, input.consumers, input.producers)
          assertEqual(
            uncovered.reduce((sum, is) => sum + is, 0),
            allocateEnergy(input).counts.defaulted,
            'steps',
          )
        }),
        getPropertyRuns(1200),
      )
    },
  )

  test('only present members count, and zero is a coefficient', () => {
    const coefficients = { c1: Int32Array.of(0, MISSING, MISSING, 410_000), c2: Int32Array.of(MISSING, 7, MISSING, 3) }
    const late = { id: 'c2', active: [[2, 4]] as [number, number][] }
    const key = { method: 'simple' as const, coefficients }
    expect([...findUncoveredSteps(key, 4, [always('c1', 4), late], [])]).toEqual([0, 1, 1, 0])
    expect([...findUncoveredSteps(key, 4, [late], [])]).toEqual([0, 0, 1, 0])
  })

  test('one producer without a coefficient is enough; a producer who left needs none', () => {
    const row = { c1: Int32Array.of(310_000, MISSING, 310_000) }
    const key = { method: 'complete' as const, coefficients: { p1: row, p2: { c1: 690_000 } } }
    const [p1, p2] = [always('p1', 3), always('p2', 3)]
    expect([...findUncoveredSteps(key, 3, [always('c1', 3)], [p1, p2])]).toEqual([0, 1, 0])
    expect([...findUncoveredSteps(key, 3, [always('c1', 3)], [p2])]).toEqual([0, 0, 0])
    const gone = { id: 'p3', active: [[2, 3]] as [number, number][] }
    expect([...findUncoveredSteps(key, 3, [always('c1', 3)], [p2, gone])]).toEqual([0, 0, 1])
  })
})

import fc from 'fast-check'
import { describe, test } from 'vitest'
import { KEY_METHODS } from '../keys/keys.ts'
import { assertFollowsRules, getPropertyRuns, PROPERTY_TIMEOUT_MS } from './testing/property-checks.ts'
import { arbitraryOperation } from './testing/random-operations.ts'

describe('the kernel against the rules written out step by step', () => {
  test.each(KEY_METHODS)('%s: every amount is the same', { timeout: PROPERTY_TIMEOUT_MS }, (method) => {
    fc.assert(fc.property(arbitraryOperation([method]), assertFollowsRules), getPropertyRuns(3000))
  })

  // Enough consumers that only some remainders are sorted, and that the water level is guessed from a sample.
  test.each(KEY_METHODS)('%s: the same with many consumers', { timeout: PROPERTY_TIMEOUT_MS }, (method) => {
    const many = arbitraryOperation([method], true, { fewest: 130, consumers: 260, steps: 2 })
    fc.assert(fc.property(many, assertFollowsRules), getPropertyRuns(150))
  })

  // Needs that sum to less than 30 bits, and enough production that some consumers are full and some are not.
  test.each(KEY_METHODS)(
    '%s: the same with many consumers and a water level among them',
    { timeout: PROPERTY_TIMEOUT_MS },
    (method) => {
      const filling = fc.constantFrom(3, 40, 5000).chain((most) =>
        arbitraryOperation([method], true, { fewest: 130, consumers: 200, steps: 2, largest: most }).map((input) => ({
          ...input,
          producers: input.producers.map((point) => ({ ...point, values: point.values.map((value) => value * 80) })),
        })),
      )
      fc.assert(fc.property(filling, assertFollowsRules), getPropertyRuns(100))
    },
  )

  // Small figures have simple fractions for remainders, which fall on the edge of a bin.
  test.each(KEY_METHODS)('%s: the same when all remainders are equal', { timeout: PROPERTY_TIMEOUT_MS }, (method) => {
    const ties = arbitraryOperation([method], true, { fewest: 8, consumers: 40, steps: 4, largest: 12 })
    fc.assert(fc.property(ties, assertFollowsRules), getPropertyRuns(600))
  })

  // Steps side by side in the vectors, over more than one band.
  test.each(KEY_METHODS)(
    '%s: the same at every step of a band and of the next',
    { timeout: PROPERTY_TIMEOUT_MS },
    (method) => {
      const bands = arbitraryOperation([method], false, { fewest: 8, consumers: 20, steps: 40 })
      fc.assert(fc.property(bands, assertFollowsRules), getPropertyRuns(120))
    },
  )
})

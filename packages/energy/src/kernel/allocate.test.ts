import fc from 'fast-check'
import { describe, test } from 'vitest'
import { METHODS } from '../keys/keys.ts'
import { operation } from './testing/cases.ts'
import { followsRules, PATIENCE, runs } from './testing/checks.ts'

describe('the kernel against the rules written out', () => {
  test.each(METHODS)('%s: every cell is the same', { timeout: PATIENCE }, (method) => {
    fc.assert(fc.property(operation([method]), followsRules), runs(3000))
  })

  // Enough of them that only some of the remainders are put in order, and that a level is sought from a sample.
  test.each(METHODS)('%s: so it is with many consumers', { timeout: PATIENCE }, (method) => {
    const many = operation([method], true, { fewest: 130, consumers: 260, steps: 2 })
    fc.assert(fc.property(many, followsRules), runs(150))
  })

  // Needs that sum to less than 30 bits, and enough production that some are full and some are not.
  test.each(METHODS)('%s: so it is with many consumers and a level among them', { timeout: PATIENCE }, (method) => {
    const filling = fc.constantFrom(3, 40, 5000).chain((most) =>
      operation([method], true, { fewest: 130, consumers: 200, steps: 2, largest: most }).map((input) => ({
        ...input,
        producers: input.producers.map((point) => ({ ...point, values: point.values.map((value) => value * 80) })),
      })),
    )
    fc.assert(fc.property(filling, followsRules), runs(100))
  })

  // Small figures have simple fractions for remainders, which fall on the edge of a bin.
  test.each(METHODS)('%s: so it is with ties everywhere', { timeout: PATIENCE }, (method) => {
    const ties = operation([method], true, { fewest: 8, consumers: 40, steps: 4, largest: 12 })
    fc.assert(fc.property(ties, followsRules), runs(600))
  })

  // Steps side by side in the vectors, and more than one band of them.
  test.each(METHODS)('%s: so it is at every step of a band, and of the next', { timeout: PATIENCE }, (method) => {
    const bands = operation([method], false, { fewest: 8, consumers: 20, steps: 40 })
    fc.assert(fc.property(bands, followsRules), runs(120))
  })
})

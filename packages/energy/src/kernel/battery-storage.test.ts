import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KEY_METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { type AllocationInput, allocateEnergy } from './allocate.ts'
import { computePairs } from './pairs.ts'
import {
  assertEqual,
  assertTrue,
  checkEachAllocatedStep,
  getColumn,
  getPropertyRuns,
  keepKnown,
  PROPERTY_TIMEOUT_MS,
  sumNumbers,
  takesPartAt,
} from './testing/property-checks.ts'
import { arbitraryOperationWithBatteries, removeStorageFlags } from './testing/random-operations.ts'

const battery = (points: AllocationInput['consumers'], is: boolean) => (_: number, k: number) =>
  (points[k]?.storage === true) === is

/** Generation, release, what other consumers got and what was stored, at one step. */
function balance(input: AllocationInput, at: number, { allocated, produced }: ReturnType<typeof allocateEnergy>) {
  const side = (curves: Int32Array[], points: AllocationInput['consumers'], is: boolean) =>
    sumNumbers(keepKnown(getColumn(curves, at).filter(battery(points, is))))
  return {
    generated: side(produced, input.producers, false),
    released: side(produced, input.producers, true),
    stored: side(allocated, input.consumers, true),
    affected: side(allocated, input.consumers, false),
  }
}

const isMixed = (input: AllocationInput, at: number) => {
  const busy = (points: AllocationInput['consumers']) =>
    points.some((point) => point.storage && takesPartAt(point, at) && (point.values[at] ?? 0) > 0)
  return busy(input.consumers) && busy(input.producers)
}

describe('batteries', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  test.each(KEY_METHODS)('%s: what is stored comes from production, and no unit is lost', (method) => {
    fc.assert(
      fc.property(arbitraryOperationWithBatteries([method]), (input) =>
        checkEachAllocatedStep(input, (at, result) => {
          const { generated, released, stored, affected } = balance(input, at, result)
          assertTrue(stored <= generated, `stored ${stored} of ${generated} at ${at}`)
          assertTrue(stored + affected <= generated + released, `handed out too much at ${at}`)
          assertTrue(affected <= released + generated, `affected too much at ${at}`)
          for (const [i, a] of getColumn(result.allocated, at).entries())
            assertTrue(a <= Math.max(0, result.consumed[i]?.[at] ?? 0), `consumer ${i} got ${a} at ${at}`)
          for (const [j, part] of getColumn(result.shared, at).entries())
            assertTrue(part <= (result.produced[j]?.[at] ?? 0), `producer ${j} shared ${part} at ${at}`)
          const given = getColumn(result.shared, at)
          assertEqual(sumNumbers(keepKnown(given)), stored + affected, `shared at ${at}`)
          assertTrue(
            sumNumbers(keepKnown(given.filter(battery(input.producers, false)))) >= stored,
            `stored from a battery at ${at}`,
          )
        }),
      ),
      getPropertyRuns(1600),
    )
  })

  test.each(KEY_METHODS)('%s: nothing goes from a battery to a battery; rows and columns sum up', (method) => {
    fc.assert(
      fc.property(arbitraryOperationWithBatteries([method]), (input) => {
        const allocation = allocateEnergy(input)
        const steps = Uint16Array.from({ length: input.steps }, (_, at) => at)
        const cells = computePairs({ allocation, ...input }, steps, input.steps)
        const [producers, consumers] = [input.producers, input.consumers]
        const cell = (at: number, j: number, i: number) =>
          cells[(at * producers.length + j) * consumers.length + i] ?? 0
        for (let at = 0; at < input.steps; at++) {
          for (const [i, to] of consumers.entries()) {
            const row = producers.map((_, j) => cell(at, j, i))
            assertTrue(
              row.every((value) => value >= 0),
              `a negative cell at ${at}`,
            )
            assertEqual(sumNumbers(row), Math.max(0, allocation.allocated[i]?.[at] ?? 0), `row ${i} at ${at}`)
            for (const [j, from] of producers.entries())
              if (to.storage && from.storage) assertEqual(cell(at, j, i), 0, `battery ${j} to battery ${i} at ${at}`)
          }
          for (const j of producers.keys()) {
            const column = sumNumbers(consumers.map((_, i) => cell(at, j, i)))
            assertEqual(column, Math.max(0, allocation.shared[j]?.[at] ?? 0), `column ${j} at ${at}`)
          }
        }
      }),
      getPropertyRuns(1000),
    )
  })

  test.each(KEY_METHODS)(
    '%s: while no battery charges as another releases, each is a point like any other',
    (method) => {
      fc.assert(
        fc.property(arbitraryOperationWithBatteries([method]), (input) => {
          const [own, plain] = [allocateEnergy(input), allocateEnergy(removeStorageFlags(input))]
          expect(own.counts).toEqual(plain.counts)
          for (let at = 0; at < input.steps; at++)
            for (const name of ['allocated', 'shared', 'consumed', 'produced'] as const)
              for (const [k, value] of getColumn(own[name], at).entries()) {
                const expected = plain[name][k]?.[at]
                if (!isMixed(input, at) || name === 'consumed' || name === 'produced')
                  assertEqual(value, expected, `${name} ${k} at ${at}`)
                else assertTrue((value === MISSING) === (expected === MISSING), `hole of ${name} ${k} at ${at}`)
              }
        }),
        getPropertyRuns(800),
      )
    },
  )

  test('default key: no more could be shared', () => {
    fc.assert(
      fc.property(arbitraryOperationWithBatteries(['default']), (input) =>
        checkEachAllocatedStep(input, (at, result) => {
          const { generated, released, stored, affected } = balance(input, at, result)
          const need = (is: boolean) =>
            sumNumbers(keepKnown(getColumn(result.consumed, at).filter(battery(input.consumers, is))))
          const most = Math.min(generated + released, need(false) + Math.min(need(true), generated))
          assertEqual(stored + affected, most, `shared at ${at}`)
        }),
      ),
      getPropertyRuns(1600),
    )
  })

  test.each(KEY_METHODS)('%s: every value is the same, however many steps are handled at once', (method) => {
    fc.assert(
      fc.property(
        arbitraryOperationWithBatteries([method], false, { steps: 9 }),
        fc.constantFrom(1, 2, 3, 5),
        (input, most) => {
          const [whole, parts] = [allocateEnergy(input), allocateEnergy(input, most)]
          for (const name of ['allocated', 'shared'] as const) expect(parts[name]).toEqual(whole[name])
        },
      ),
      getPropertyRuns(200),
    )
  })
})

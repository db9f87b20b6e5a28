import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KEY_METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { type AllocationInput, allocateEnergy, type PointCurve } from './allocate.ts'
import {
  assertEqual,
  assertTrue,
  checkEachAllocatedStep,
  getColumn,
  getKeyOfInput,
  getPropertyRuns,
  isActiveAt,
  keepKnown,
  PROPERTY_TIMEOUT_MS,
  sumNumbers,
  takesPartAt,
  valueAt,
} from './testing/property-checks.ts'
import { arbitraryOperation } from './testing/random-operations.ts'

const RUNS = getPropertyRuns(10_000)
const takes = ({ consumers }: AllocationInput, i: number, at: number) => {
  const own = consumers[i]
  return own !== undefined && takesPartAt(own, at)
}

describe('invariants of the allocation', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  test('nobody gets more than it consumed; allocated plus surplus is the production, to the unit', () => {
    fc.assert(
      fc.property(arbitraryOperation(), (input) =>
        checkEachAllocatedStep(input, (at, { allocated, consumed, produced, shared }) => {
          for (const [i, a] of getColumn(allocated, at).entries())
            assertTrue(takes(input, i, at) ? a >= 0 && a <= (consumed[i]?.[at] ?? 0) : a <= 0, `consumer ${i} got ${a}`)
          for (const [j, part] of getColumn(shared, at).entries())
            assertTrue(part <= (produced[j]?.[at] ?? 0), `producer ${j} shared ${part}`)
          assertEqual(
            sumNumbers(keepKnown(getColumn(shared, at))),
            sumNumbers(keepKnown(getColumn(allocated, at))),
            'shared',
          )
        }),
      ),
      RUNS,
    )
  })

  test('default key: allocated is the lesser of production and consumption', () => {
    fc.assert(
      fc.property(arbitraryOperation(['default']), (input) =>
        checkEachAllocatedStep(input, (at, { allocated, consumed, produced }) => {
          const least = Math.min(
            sumNumbers(keepKnown(getColumn(produced, at))),
            sumNumbers(keepKnown(getColumn(consumed, at))),
          )
          assertEqual(sumNumbers(keepKnown(getColumn(allocated, at))), least, 'allocated')
        }),
      ),
      RUNS,
    )
  })

  test('static key: the lesser of k·P and C within one unit; the unused share is surplus', () => {
    fc.assert(
      fc.property(arbitraryOperation(['static'], true), (input) =>
        checkEachAllocatedStep(input, (at, { allocated, consumed, produced }) => {
          const key = getKeyOfInput(input)
          const pool = BigInt(sumNumbers(getColumn(produced, at)))
          for (const [i, a] of getColumn(allocated, at).entries()) {
            const share = key.method === 'static' ? (key.shares[`c${i}`] ?? 0) : 0
            const exact = Number((BigInt(share) * pool) / 1_000_000n)
            const most = consumed[i]?.[at] ?? 0
            assertTrue(
              a >= Math.min(exact, most) && a <= Math.min(exact + 1, most),
              `consumer ${i} got ${a} for ${exact}`,
            )
          }
        }),
      ),
      RUNS,
    )
  })

  test('the default key never shares less than the static one', () => {
    fc.assert(
      fc.property(arbitraryOperation(['static'], true), (input) => {
        const fixed = allocateEnergy(input)
        const free = allocateEnergy({ ...input, keys: [{ from: 0, to: input.steps, key: { method: 'default' } }] })
        for (let at = 0; at < input.steps; at++)
          assertTrue(
            sumNumbers(getColumn(free.allocated, at)) >= sumNumbers(getColumn(fixed.allocated, at)),
            `less at step ${at}`,
          )
      }),
      RUNS,
    )
  })

  test('default key: the unit of measure changes nothing but the rounding', () => {
    const scaled = (point: PointCurve, by: number) => ({
      ...point,
      values: point.values.map((v) => (v % 2 ** 19) * by),
    })
    fc.assert(
      fc.property(arbitraryOperation(['default'], true), fc.integer({ min: 2, max: 1000 }), (input, by) => {
        const grown = (times: number) =>
          allocateEnergy({
            ...input,
            producers: input.producers.map((point) => scaled(point, times)),
            consumers: input.consumers.map((point) => scaled(point, times)),
          })
        const [one, many] = [grown(1), grown(by)]
        for (const [i, curve] of one.allocated.entries())
          for (const [at, a] of curve.entries())
            assertTrue(Math.abs((many.allocated[i]?.[at] ?? 0) - a * by) <= by, `consumer ${i} at ${at}`)
      }),
      RUNS,
    )
  })

  test('the order of the consumers changes only who gets the last unit among equals', () => {
    fc.assert(
      fc.property(arbitraryOperation(KEY_METHODS, true), (input) => {
        const { method } = getKeyOfInput(input)
        const there = allocateEnergy(input)
        const back = allocateEnergy({ ...input, consumers: input.consumers.toReversed() })
        const units = method === 'complete' ? input.producers.length : 1
        for (const [i, curve] of there.allocated.entries())
          for (const [at, a] of curve.entries())
            assertTrue(Math.abs(a - (back.allocated.at(-1 - i)?.[at] ?? 0)) <= units, `consumer ${i} at ${at}`)
        // With fixed shares a unit given to a full consumer is lost: there, the order among equals changes the sum.
        if (['static', 'simple', 'complete'].includes(method)) return
        for (let at = 0; at < input.steps; at++)
          assertEqual(
            sumNumbers(getColumn(there.allocated, at)),
            sumNumbers(getColumn(back.allocated, at)),
            `sum at ${at}`,
          )
      }),
      RUNS,
    )
  })

  test('a period with entries and exits equals its sub-periods one after the other', () => {
    fc.assert(
      fc.property(
        arbitraryOperation(['default', 'static', 'priority', 'redistributed', 'equal']),
        fc.nat(4),
        (input, cut) => {
          const middle = Math.min(cut, input.steps)
          const part = (from: number, to: number) => {
            const clip = (point: PointCurve): PointCurve => ({
              ...point,
              values: point.values.slice(from, to),
              active: point.active.map(([a, b]): [number, number] => [
                Math.max(a, from) - from,
                Math.min(b, to) - from,
              ]),
            })
            const keys = [{ from: 0, to: to - from, key: getKeyOfInput(input) }]
            const [producers, consumers] = [input.producers.map(clip), input.consumers.map(clip)]
            return allocateEnergy({ steps: to - from, producers, consumers, keys })
          }
          const [whole, first, second] = [allocateEnergy(input), part(0, middle), part(middle, input.steps)]
          for (const name of ['allocated', 'consumed', 'produced', 'shared'] as const)
            for (const [i, curve] of whole[name].entries())
              for (const [at, value] of curve.entries())
                assertEqual(
                  at < middle ? first[name][i]?.[at] : second[name][i]?.[at - middle],
                  value,
                  `${name} ${i} at ${at}`,
                )
        },
      ),
      RUNS,
    )
  })

  test('a missing value is never zero: it suspends its consumer, and excludes a step known to nobody', () => {
    fc.assert(
      fc.property(arbitraryOperation(), (input) => {
        const result = allocateEnergy(input)
        const count = { excluded: 0, consumerMissing: 0, producerMissing: 0 }
        for (let at = 0; at < input.steps; at++) {
          const here = input.producers.filter((point) => isActiveAt(point, at))
          const dark = here.filter((point) => valueAt(point, at) === MISSING).length
          const hole = input.consumers.some((point) => valueAt(point, at) === MISSING)
          const code =
            hole && !input.consumers.some((point) => takesPartAt(point, at))
              ? 1
              : dark > 0 && dark === here.length
                ? 2
                : 0
          assertEqual(result.excluded[at], code, `excluded ${at}`)
          if (code !== 0) count.excluded++
          if (hole) count.consumerMissing++
          if (dark > 0) count.producerMissing++
          const told = (point: PointCurve) => (!isActiveAt(point, at) ? 0 : code === 0 ? point.values[at] : MISSING)
          for (const [i, point] of input.consumers.entries()) {
            assertEqual(result.consumed[i]?.[at], told(point), `consumed ${i} at ${at}`)
            if (told(point) === MISSING || code !== 0)
              assertEqual(result.allocated[i]?.[at], told(point), `allocated ${i}`)
          }
          for (const [j, point] of input.producers.entries()) {
            assertEqual(result.produced[j]?.[at], told(point), `produced ${j} at ${at}`)
            if (told(point) === MISSING) assertEqual(result.shared[j]?.[at], MISSING, `shared ${j} at ${at}`)
          }
        }
        expect(result.counts).toMatchObject({ steps: input.steps, ...count, noKey: 0 })
      }),
      RUNS,
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AllocationKey, KEY_METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { allocateEnergy, type PointCurve } from './allocate.ts'
import { computePairs } from './pairs.ts'
import {
  assertEqual,
  buildPoints,
  getColumn,
  getKeyOfInput,
  getPropertyRuns,
  PROPERTY_TIMEOUT_MS,
  sumNumbers,
} from './testing/property-checks.ts'
import { arbitraryOperationWithBatteries } from './testing/random-operations.ts'
import { allocateStep } from './testing/reference-rules.ts'

/** Two houses and a battery, a roof and the battery: the battery is the last consumer and the last producer. */
function one(key: AllocationKey, produced: number[], consumed: number[]) {
  const side = (prefix: string, values: number[]): PointCurve[] =>
    buildPoints(
      prefix,
      values.map((value) => [value]),
    ).map((point, k) => (k === values.length - 1 ? { ...point, storage: true } : point))
  const input = { steps: 1, producers: side('p', produced), consumers: side('c', consumed) }
  const keys = [{ from: 0, to: 1, key }]
  const allocation = allocateEnergy({ ...input, keys })
  const matrix = [...computePairs({ ...input, keys, allocation }, new Uint16Array(1), 1)]
  return { a: getColumn(allocation.allocated, 0), shared: getColumn(allocation.shared, 0), matrix }
}

describe('a battery that charges while one releases', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  test('default: its release goes to the houses, then the houses and its charge share the roof', () => {
    // 97 released: 71 and 26 of 311 and 113. Then 503 of the roof for 240, 87 and 401: 165,82 · 60,11 · 277,07.
    const { a, shared, matrix } = one({ method: 'default' }, [503, 97], [311, 113, 401])
    expect(a).toEqual([237, 86, 277])
    expect(shared).toEqual([503, 97])
    expect(matrix).toEqual([166, 60, 277, 71, 26, 0])
  })

  test('static: its share of what was released is surplus, neither its own nor its neighbours’', () => {
    const key: AllocationKey = { method: 'static', shares: { c1: 400_000, c2: 100_000, c3: 500_000 } }
    // 97: 38,8 · 9,7 · 48,5 lost; 503: 201,2 · 50,3 · 251,5.
    const { a, shared } = one(key, [503, 97], [311, 113, 401])
    expect(a).toEqual([240, 60, 252])
    expect(sumNumbers(shared)).toBe(552)
    // In proportion to what each injected: 462,76 and 89,24.
    expect(shared).toEqual([463, 89])
  })

  test('priority: first in rank for the roof, its rank takes nothing from the pool of the release', () => {
    const key: AllocationKey = { method: 'priority', ranks: { c3: 1, c1: 2 } }
    expect(one(key, [307, 97], [311, 113, 401]).a).toEqual([97, 0, 307])
  })

  test('complete: a coefficient from a battery to a battery gives nothing', () => {
    const row = { c1: 300_000, c2: 200_000, c3: 500_000 }
    const { a, matrix } = one({ method: 'complete', coefficients: { p1: row, p2: row } }, [503, 97], [311, 113, 401])
    expect(matrix[5]).toBe(0)
    // 101 of the roof were meant for the second house, which needs 94 once the battery has given it 19.
    expect(matrix).toEqual([151, 94, 251, 29, 19, 0])
    expect(a).toEqual([180, 113, 251])
  })

  test('without generation nothing is stored, and what is released is shared', () => {
    for (const [produced, roof] of [
      [[0, 97], 0],
      [[MISSING, 97], MISSING],
    ] as const) {
      const { a, shared } = one({ method: 'default' }, [...produced], [31, 29, 401])
      expect(a).toEqual([31, 29, 0])
      expect(shared).toEqual([roof, 60])
    }
  })

  test('what the roof gives is never less than what is stored', () => {
    // In proportion to injection the roof would give less than 13 of 131: it gave all 13 that were stored.
    const { a, shared, matrix } = one({ method: 'default' }, [13, 997], [71, 47, 401])
    expect(a).toEqual([71, 47, 13])
    expect(shared).toEqual([13, 118])
    expect(matrix).toEqual([0, 0, 13, 71, 47, 0])
  })

  test.each(KEY_METHODS)('%s: each consumer gets what the rules give from the two pools', (method) => {
    fc.assert(
      fc.property(arbitraryOperationWithBatteries([method], true), (input) => {
        const result = allocateEnergy(input)
        const key = getKeyOfInput(input)
        for (let at = 0; at < input.steps; at++) {
          const pot = (is: boolean) =>
            input.producers.map((own) => BigInt((own.storage === true) === is ? (own.values[at] ?? 0) : 0))
          const charge = sumNumbers(input.consumers.map((own) => (own.storage ? (own.values[at] ?? 0) : 0)))
          if (charge === 0 || !pot(true).some((value) => value > 0n)) continue
          const needs = input.consumers.map((own) => BigInt(own.values[at] ?? 0))
          const hungry = needs.map((need, i) => (input.consumers[i]?.storage ? 0n : need))
          const back = allocateStep({ produced: pot(true), consumed: hungry, key, at })
          const rest = needs.map((need, i) => need - (back[i] ?? 0n))
          const direct = allocateStep({ produced: pot(false), consumed: rest, key, at })
          for (const [i, got] of getColumn(result.allocated, at).entries())
            assertEqual(got, Number((back[i] ?? 0n) + (direct[i] ?? 0n)), `consumer ${i} at ${at}`)
        }
      }),
      getPropertyRuns(800),
    )
  })
})

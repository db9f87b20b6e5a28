import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KEY_METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { type AllocationInput, allocateEnergy } from './allocate.ts'
import { computePairs } from './pairs.ts'
import {
  assertEqual,
  assertTrue,
  getKeyOfInput,
  getPropertyRuns,
  PROPERTY_TIMEOUT_MS,
  sumNumbers,
  valueAt,
} from './testing/property-checks.ts'
import { arbitraryOperation } from './testing/random-operations.ts'
import { computeReferenceMatrix } from './testing/reference-rules.ts'

const stepByStep = (input: AllocationInput) => Uint16Array.from({ length: input.steps }, (_, at) => at)

function margins(input: AllocationInput): void {
  const allocation = allocateEnergy(input)
  const [producers, consumers] = [input.producers.length, input.consumers.length]
  const cells = computePairs({ allocation, ...input }, stepByStep(input), input.steps)
  const cell = (at: number, j: number, i: number) => cells[(at * producers + j) * consumers + i] ?? 0
  for (let at = 0; at < input.steps; at++) {
    for (let i = 0; i < consumers; i++) {
      const row = sumNumbers(input.producers.map((_, j) => cell(at, j, i)))
      assertEqual(row, Math.max(0, allocation.allocated[i]?.[at] ?? 0), `row ${i} at ${at}`)
    }
    for (let j = 0; j < producers; j++) {
      const column = sumNumbers(input.consumers.map((_, i) => cell(at, j, i)))
      assertEqual(column, Math.max(0, allocation.shared[j]?.[at] ?? 0), `column ${j} at ${at}`)
    }
  }
  assertTrue(
    cells.every((value) => value >= 0),
    'a negative cell',
  )
}

describe('energy by pair of producer and consumer', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  test('at every step the rows sum to the consumers and the columns to the producers', () => {
    fc.assert(fc.property(arbitraryOperation(), margins), getPropertyRuns(10_000))
  })

  test('the same with many consumers and producers', () => {
    const many = arbitraryOperation(KEY_METHODS, false, { producers: 9, fewest: 40, consumers: 80, steps: 2 })
    fc.assert(fc.property(many, margins), getPropertyRuns(150))
  })

  test('with margins that do not agree the loop ends: what no producer shared goes to the first', () => {
    const point = (id: string) => ({ id, values: Int32Array.of(9, 9), active: [[0, 2]] as [number, number][] })
    const [producers, consumers] = [
      [point('p0'), point('p1')],
      [point('c0'), point('c1'), point('c2')],
    ]
    const input = { steps: 2, producers, consumers, keys: [{ from: 0, to: 2, key: { method: 'default' } as const }] }
    const allocation = {
      ...allocateEnergy(input),
      allocated: [Int32Array.of(5, 3), Int32Array.of(7, 0), Int32Array.of(MISSING, 2)],
      shared: [Int32Array.of(2, 1), Int32Array.of(3, 4)],
    }
    const cells = computePairs({ allocation, ...input }, new Uint16Array(2), 1)
    expect([...cells]).toEqual([3, 3, 0, 5, 4, 2])
  })

  test('a complete key gives its own matrix', () => {
    fc.assert(
      fc.property(arbitraryOperation(['complete'], true), (input) => {
        const cells = computePairs({ allocation: allocateEnergy(input), ...input }, stepByStep(input), input.steps)
        const expected = Array.from({ length: input.steps }, (_, at) => {
          const produced = input.producers.map((point) => BigInt(valueAt(point, at)))
          const consumed = input.consumers.map((point) => BigInt(valueAt(point, at)))
          return computeReferenceMatrix({ produced, consumed, key: getKeyOfInput(input), at })
        }).flat(2)
        for (const [index, value] of cells.entries()) assertEqual(value, Number(expected[index]), `cell ${index}`)
      }),
      getPropertyRuns(3000),
    )
  })
})

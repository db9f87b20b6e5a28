import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { type AllocationInput, allocate } from './allocate.ts'
import { pairs } from './pairs.ts'
import { operation } from './testing/cases.ts'
import { keyOf, must, PATIENCE, runs, same, sum, valueAt } from './testing/checks.ts'
import { matrixOf } from './testing/reference.ts'

const stepByStep = (input: AllocationInput) => Uint16Array.from({ length: input.steps }, (_, at) => at)

function margins(input: AllocationInput): void {
  const allocation = allocate(input)
  const [producers, consumers] = [input.producers.length, input.consumers.length]
  const cells = pairs({ allocation, ...input }, stepByStep(input), input.steps)
  const cell = (at: number, j: number, i: number) => cells[(at * producers + j) * consumers + i] ?? 0
  for (let at = 0; at < input.steps; at++) {
    for (let i = 0; i < consumers; i++) {
      const row = sum(input.producers.map((_, j) => cell(at, j, i)))
      same(row, Math.max(0, allocation.allocated[i]?.[at] ?? 0), `row ${i} at ${at}`)
    }
    for (let j = 0; j < producers; j++) {
      const column = sum(input.consumers.map((_, i) => cell(at, j, i)))
      same(column, Math.max(0, allocation.shared[j]?.[at] ?? 0), `column ${j} at ${at}`)
    }
  }
  must(
    cells.every((value) => value >= 0),
    'a negative cell',
  )
}

describe('pairs', { timeout: PATIENCE }, () => {
  test('at every step the rows sum to the consumers and the columns to the producers', () => {
    fc.assert(fc.property(operation(), margins), runs(10_000))
  })

  test('so it is with many of both', () => {
    const many = operation(METHODS, false, { producers: 9, fewest: 40, consumers: 80, steps: 2 })
    fc.assert(fc.property(many, margins), runs(150))
  })

  test('margins that do not agree come to an end: what no producer shared is the first one’s', () => {
    const point = (id: string) => ({ id, values: Int32Array.of(9, 9), active: [[0, 2]] as [number, number][] })
    const [producers, consumers] = [
      [point('p0'), point('p1')],
      [point('c0'), point('c1'), point('c2')],
    ]
    const input = { steps: 2, producers, consumers, keys: [{ from: 0, to: 2, key: { method: 'default' } as const }] }
    const allocation = {
      ...allocate(input),
      allocated: [Int32Array.of(5, 3), Int32Array.of(7, 0), Int32Array.of(MISSING, 2)],
      shared: [Int32Array.of(2, 1), Int32Array.of(3, 4)],
    }
    const cells = pairs({ allocation, ...input }, new Uint16Array(2), 1)
    expect([...cells]).toEqual([3, 3, 0, 5, 4, 2])
  })

  test('a complete key gives its own matrix', () => {
    fc.assert(
      fc.property(operation(['complete'], true), (input) => {
        const cells = pairs({ allocation: allocate(input), ...input }, stepByStep(input), input.steps)
        const expected = Array.from({ length: input.steps }, (_, at) => {
          const produced = input.producers.map((point) => BigInt(valueAt(point, at)))
          const consumed = input.consumers.map((point) => BigInt(valueAt(point, at)))
          return matrixOf({ produced, consumed, key: keyOf(input), at })
        }).flat(2)
        for (const [index, value] of cells.entries()) same(value, Number(expected[index]), `cell ${index}`)
      }),
      runs(3000),
    )
  })
})

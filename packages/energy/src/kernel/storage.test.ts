import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { type AllocationInput, allocate } from './allocate.ts'
import { pairs } from './pairs.ts'
import { unflagged, withBatteries } from './testing/batteries.ts'
import { columnAt, eachOpen, known, must, PATIENCE, runs, same, sum, takesPart } from './testing/checks.ts'

const battery = (points: AllocationInput['consumers'], is: boolean) => (_: number, k: number) =>
  (points[k]?.storage === true) === is

/** G, R, what others got and what was stored, at one step. */
function balance(input: AllocationInput, at: number, { allocated, produced }: ReturnType<typeof allocate>) {
  const side = (curves: Int32Array[], points: AllocationInput['consumers'], is: boolean) =>
    sum(known(columnAt(curves, at).filter(battery(points, is))))
  return {
    generated: side(produced, input.producers, false),
    released: side(produced, input.producers, true),
    stored: side(allocated, input.consumers, true),
    affected: side(allocated, input.consumers, false),
  }
}

const isMixed = (input: AllocationInput, at: number) => {
  const busy = (points: AllocationInput['consumers']) =>
    points.some((point) => point.storage && takesPart(point, at) && (point.values[at] ?? 0) > 0)
  return busy(input.consumers) && busy(input.producers)
}

describe('batteries', { timeout: PATIENCE }, () => {
  test.each(METHODS)('%s: what is stored comes from production, and every unit is somewhere', (method) => {
    fc.assert(
      fc.property(withBatteries([method]), (input) =>
        eachOpen(input, (at, result) => {
          const { generated, released, stored, affected } = balance(input, at, result)
          must(stored <= generated, `stored ${stored} of ${generated} at ${at}`)
          must(stored + affected <= generated + released, `handed out too much at ${at}`)
          must(affected <= released + generated, `affected too much at ${at}`)
          for (const [i, a] of columnAt(result.allocated, at).entries())
            must(a <= Math.max(0, result.consumed[i]?.[at] ?? 0), `consumer ${i} got ${a} at ${at}`)
          for (const [j, part] of columnAt(result.shared, at).entries())
            must(part <= (result.produced[j]?.[at] ?? 0), `producer ${j} shared ${part} at ${at}`)
          const given = columnAt(result.shared, at)
          same(sum(known(given)), stored + affected, `shared at ${at}`)
          must(sum(known(given.filter(battery(input.producers, false)))) >= stored, `stored from a battery at ${at}`)
        }),
      ),
      runs(1600),
    )
  })

  test.each(METHODS)('%s: no flow from a battery to a battery; rows and columns sum up', (method) => {
    fc.assert(
      fc.property(withBatteries([method]), (input) => {
        const allocation = allocate(input)
        const steps = Uint16Array.from({ length: input.steps }, (_, at) => at)
        const cells = pairs({ allocation, ...input }, steps, input.steps)
        const [producers, consumers] = [input.producers, input.consumers]
        const cell = (at: number, j: number, i: number) =>
          cells[(at * producers.length + j) * consumers.length + i] ?? 0
        for (let at = 0; at < input.steps; at++) {
          for (const [i, to] of consumers.entries()) {
            const row = producers.map((_, j) => cell(at, j, i))
            must(
              row.every((value) => value >= 0),
              `a negative cell at ${at}`,
            )
            same(sum(row), Math.max(0, allocation.allocated[i]?.[at] ?? 0), `row ${i} at ${at}`)
            for (const [j, from] of producers.entries())
              if (to.storage && from.storage) same(cell(at, j, i), 0, `battery ${j} to battery ${i} at ${at}`)
          }
          for (const j of producers.keys()) {
            const column = sum(consumers.map((_, i) => cell(at, j, i)))
            same(column, Math.max(0, allocation.shared[j]?.[at] ?? 0), `column ${j} at ${at}`)
          }
        }
      }),
      runs(1000),
    )
  })

  test.each(METHODS)(
    '%s: unless one charges while one releases, it is a consumer and a producer like any other',
    (method) => {
      fc.assert(
        fc.property(withBatteries([method]), (input) => {
          const [own, plain] = [allocate(input), allocate(unflagged(input))]
          expect(own.counts).toEqual(plain.counts)
          for (let at = 0; at < input.steps; at++)
            for (const name of ['allocated', 'shared', 'consumed', 'produced'] as const)
              for (const [k, value] of columnAt(own[name], at).entries()) {
                const expected = plain[name][k]?.[at]
                if (!isMixed(input, at) || name === 'consumed' || name === 'produced')
                  same(value, expected, `${name} ${k} at ${at}`)
                else must((value === MISSING) === (expected === MISSING), `hole of ${name} ${k} at ${at}`)
              }
        }),
        runs(800),
      )
    },
  )

  test('default key: no more could have been shared', () => {
    fc.assert(
      fc.property(withBatteries(['default']), (input) =>
        eachOpen(input, (at, result) => {
          const { generated, released, stored, affected } = balance(input, at, result)
          const need = (is: boolean) => sum(known(columnAt(result.consumed, at).filter(battery(input.consumers, is))))
          const most = Math.min(generated + released, need(false) + Math.min(need(true), generated))
          same(stored + affected, most, `shared at ${at}`)
        }),
      ),
      runs(1600),
    )
  })

  test.each(METHODS)('%s: every figure is the same, however many steps are worked on at once', (method) => {
    fc.assert(
      fc.property(withBatteries([method], false, { steps: 9 }), fc.constantFrom(1, 2, 3, 5), (input, most) => {
        const [whole, parts] = [allocate(input), allocate(input, most)]
        for (const name of ['allocated', 'shared'] as const) expect(parts[name]).toEqual(whole[name])
      }),
      runs(200),
    )
  })
})

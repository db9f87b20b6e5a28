import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { type AllocationInput, allocate, type PointCurve } from './allocate.ts'
import { pairs } from './pairs.ts'
import { operation } from './testing/cases.ts'
import { columnAt, isDefaulted, PATIENCE, runs, same, takesPart } from './testing/checks.ts'
import { points, run } from './testing/one-step.ts'

const CURVES = ['simple', 'complete'] as const

describe('who has no figure takes no part', { timeout: PATIENCE }, () => {
  test('the others get what they would if it were not in the operation at that step', () => {
    fc.assert(
      fc.property(operation(), (input) => {
        const holed = allocate(input)
        const without = (point: PointCurve): PointCurve => ({
          ...point,
          active: Array.from({ length: input.steps }, (_, at): [number, number] => [at, at + 1]).filter(([at]) =>
            takesPart(point, at),
          ),
        })
        const gone = allocate({ ...input, consumers: input.consumers.map(without) })
        for (let at = 0; at < input.steps; at++) {
          if (holed.excluded[at] !== 0) continue
          const expected = columnAt(gone.allocated, at)
          for (const [i, got] of columnAt(holed.allocated, at).entries())
            if (got !== MISSING) same(got, expected[i], `consumer ${i} at ${at}`)
          for (const [j, got] of columnAt(holed.shared, at).entries())
            same(got, columnAt(gone.shared, at)[j], `producer ${j} at ${at}`)
        }
      }),
      runs(4000),
    )
  })

  test('two silent meters of seven stop nobody', () => {
    const consumers = points('c', [[811], [419], [MISSING], [307], [263], [MISSING], [151]])
    const keys = [{ from: 0, to: 1, key: { method: 'default' as const } }]
    const { allocated, counts, excluded } = allocate({ steps: 1, producers: points('p', [[997]]), consumers, keys })
    expect(counts).toMatchObject({ excluded: 0, consumerMissing: 1 })
    expect(excluded[0]).toBe(0)
    const got = columnAt(allocated, 0)
    expect([got[2], got[5]]).toEqual([MISSING, MISSING])
    expect(got.filter((value) => value >= 0).reduce((a, b) => a + b, 0)).toBe(997)
  })

  test.each([0, 15, 16, 46, 47])('a single hole is found, at step %i as well', (hole) => {
    const steps = 48
    const curve = (value: number) => Array.from({ length: steps }, () => value)
    const consumers = points('c', [curve(211).with(hole, MISSING), curve(89)])
    const keys = [{ from: 0, to: steps, key: { method: 'default' as const } }]
    const { allocated, counts } = allocate({ steps, producers: points('p', [curve(101)]), consumers, keys })
    expect(counts).toMatchObject({ excluded: 0, consumerMissing: 1 })
    expect(columnAt(allocated, hole)).toEqual([MISSING, 89])
    expect(columnAt(allocated, (hole + 1) % steps)).toEqual([71, 30])
  })
})

const atOnce = fc.constantFrom(1, 2, 3, 5, 512)

describe('a key with holes follows the default rule there', { timeout: PATIENCE }, () => {
  test.each(METHODS)('%s: the steps it leaves are counted, however many are worked on at once', (method) => {
    fc.assert(
      fc.property(operation([method], false, { steps: 9 }), atOnce, (input, most) => {
        const { counts, excluded } = allocate(input, most)
        let expected = 0
        for (let at = 0; at < input.steps; at++) if (excluded[at] === 0 && isDefaulted(input, at)) expected++
        same(counts.defaulted, expected, 'defaulted')
      }),
      runs(2000),
    )
  })

  test.each(METHODS)('%s: every figure is the same, however many are worked on at once', (method) => {
    fc.assert(
      fc.property(operation([method], false, { steps: 9 }), atOnce, (input, most) => {
        const [whole, parts] = [allocate(input), allocate(input, most)]
        expect(parts.counts).toEqual(whole.counts)
        for (const name of ['allocated', 'shared'] as const)
          for (const [i, curve] of whole[name].entries())
            for (const [at, value] of curve.entries()) same(parts[name][i]?.[at], value, `${name} ${i} at ${at}`)
      }),
      runs(800),
    )
  })

  test('a coefficient of zero is one: nothing goes to anybody, and no step follows the default rule', () => {
    const zeros = { c1: Int32Array.of(0), c2: Int32Array.of(0) }
    const simple = run({ method: 'simple', coefficients: zeros }, [997], [811, 307])
    const complete = run({ method: 'complete', coefficients: { p1: zeros } }, [997], [811, 307])
    for (const { a, surplus, allocation } of [simple, complete]) {
      expect({ a, surplus }).toEqual({ a: [0, 0], surplus: [997] })
      expect(allocation.counts.defaulted).toBe(0)
    }
  })

  test.each(CURVES)('%s: without any coefficient all is as by the default key, producers and pairs too', (method) => {
    const bare = ({ keys: _, ...input }: AllocationInput): AllocationInput => ({
      ...input,
      keys: [{ from: 0, to: input.steps, key: { method, coefficients: {} } }],
    })
    const byDefault = (input: AllocationInput): AllocationInput => ({
      ...input,
      keys: [{ from: 0, to: input.steps, key: { method: 'default' } }],
    })
    fc.assert(
      fc.property(operation(['default']), (input) => {
        const [holes, plain] = [allocate(bare(input)), allocate(byDefault(input))]
        for (const name of ['allocated', 'shared', 'consumed', 'produced'] as const)
          for (const [i, curve] of plain[name].entries())
            for (const [at, value] of curve.entries()) same(holes[name][i]?.[at], value, `${name} ${i} at ${at}`)
        const flows = pairs({ ...bare(input), allocation: holes }, new Uint16Array(input.steps), 1)
        const whole = flows.reduce((sum, value) => sum + value, 0)
        same(
          whole,
          plain.allocated.flatMap((own) => [...own]).reduce((sum, value) => sum + Math.max(0, value), 0),
          'pairs',
        )
      }),
      runs(2000),
    )
  })
})

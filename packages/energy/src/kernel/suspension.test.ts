import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KEY_METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { type AllocationInput, allocateEnergy, type PointCurve } from './allocate.ts'
import { computePairs } from './pairs.ts'
import {
  assertEqual,
  buildPoints,
  getColumn,
  getPropertyRuns,
  isDefaultedStep,
  PROPERTY_TIMEOUT_MS,
  runOneStep,
  takesPartAt,
} from './testing/property-checks.ts'
import { arbitraryOperation } from './testing/random-operations.ts'

const CURVES = ['simple', 'complete'] as const

describe('a consumer without a measure takes no part', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  test('the others get what they would if it were not in the operation at that step', () => {
    fc.assert(
      fc.property(arbitraryOperation(), (input) => {
        const holed = allocateEnergy(input)
        const without = (point: PointCurve): PointCurve => ({
          ...point,
          active: Array.from({ length: input.steps }, (_, at): [number, number] => [at, at + 1]).filter(([at]) =>
            takesPartAt(point, at),
          ),
        })
        const gone = allocateEnergy({ ...input, consumers: input.consumers.map(without) })
        for (let at = 0; at < input.steps; at++) {
          if (holed.excluded[at] !== 0) continue
          const expected = getColumn(gone.allocated, at)
          for (const [i, got] of getColumn(holed.allocated, at).entries())
            if (got !== MISSING) assertEqual(got, expected[i], `consumer ${i} at ${at}`)
          for (const [j, got] of getColumn(holed.shared, at).entries())
            assertEqual(got, getColumn(gone.shared, at)[j], `producer ${j} at ${at}`)
        }
      }),
      getPropertyRuns(4000),
    )
  })

  test('two silent meters of seven exclude no step', () => {
    const consumers = buildPoints('c', [[811], [419], [MISSING], [307], [263], [MISSING], [151]])
    const keys = [{ from: 0, to: 1, key: { method: 'default' as const } }]
    const { allocated, counts, excluded } = allocateEnergy({
      steps: 1,
      producers: buildPoints('p', [[997]]),
      consumers,
      keys,
    })
    expect(counts).toMatchObject({ excluded: 0, consumerMissing: 1 })
    expect(excluded[0]).toBe(0)
    const got = getColumn(allocated, 0)
    expect([got[2], got[5]]).toEqual([MISSING, MISSING])
    expect(got.filter((value) => value >= 0).reduce((a, b) => a + b, 0)).toBe(997)
  })

  test.each([0, 15, 16, 46, 47])('a single missing step is found, at step %i too', (hole) => {
    const steps = 48
    const curve = (value: number) => Array.from({ length: steps }, () => value)
    const consumers = buildPoints('c', [curve(211).with(hole, MISSING), curve(89)])
    const keys = [{ from: 0, to: steps, key: { method: 'default' as const } }]
    const { allocated, counts } = allocateEnergy({ steps, producers: buildPoints('p', [curve(101)]), consumers, keys })
    expect(counts).toMatchObject({ excluded: 0, consumerMissing: 1 })
    expect(getColumn(allocated, hole)).toEqual([MISSING, 89])
    expect(getColumn(allocated, (hole + 1) % steps)).toEqual([71, 30])
  })
})

const atOnce = fc.constantFrom(1, 2, 3, 5, 512)

describe('a key with missing coefficients follows the default rule there', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  test.each(KEY_METHODS)('%s: steps without coefficients are counted, however many are handled at once', (method) => {
    fc.assert(
      fc.property(arbitraryOperation([method], false, { steps: 9 }), atOnce, (input, most) => {
        const { counts, excluded } = allocateEnergy(input, most)
        let expected = 0
        for (let at = 0; at < input.steps; at++) if (excluded[at] === 0 && isDefaultedStep(input, at)) expected++
        assertEqual(counts.defaulted, expected, 'defaulted')
      }),
      getPropertyRuns(2000),
    )
  })

  test.each(KEY_METHODS)('%s: every value is the same, however many steps are handled at once', (method) => {
    fc.assert(
      fc.property(arbitraryOperation([method], false, { steps: 9 }), atOnce, (input, most) => {
        const [whole, parts] = [allocateEnergy(input), allocateEnergy(input, most)]
        expect(parts.counts).toEqual(whole.counts)
        for (const name of ['allocated', 'shared'] as const)
          for (const [i, curve] of whole[name].entries())
            for (const [at, value] of curve.entries()) assertEqual(parts[name][i]?.[at], value, `${name} ${i} at ${at}`)
      }),
      getPropertyRuns(800),
    )
  })

  test('a coefficient of zero is a coefficient: nothing is allocated and the default rule does not apply', () => {
    const zeros = { c1: Int32Array.of(0), c2: Int32Array.of(0) }
    const simple = runOneStep({ method: 'simple', coefficients: zeros }, [997], [811, 307])
    const complete = runOneStep({ method: 'complete', coefficients: { p1: zeros } }, [997], [811, 307])
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
      fc.property(arbitraryOperation(['default']), (input) => {
        const [holes, plain] = [allocateEnergy(bare(input)), allocateEnergy(byDefault(input))]
        for (const name of ['allocated', 'shared', 'consumed', 'produced'] as const)
          for (const [i, curve] of plain[name].entries())
            for (const [at, value] of curve.entries()) assertEqual(holes[name][i]?.[at], value, `${name} ${i} at ${at}`)
        const flows = computePairs({ ...bare(input), allocation: holes }, new Uint16Array(input.steps), 1)
        const whole = flows.reduce((sum, value) => sum + value, 0)
        assertEqual(
          whole,
          plain.allocated.flatMap((own) => [...own]).reduce((sum, value) => sum + Math.max(0, value), 0),
          'pairs',
        )
      }),
      getPropertyRuns(2000),
    )
  })
})

import { describe, expect, test } from 'vitest'
import type { AllocationKey } from '../keys/keys.ts'
import { computeCoefficients } from '../operation/coefficients.ts'
import { MISSING } from '../series/series.ts'
import { allocateEnergy } from './allocate.ts'
import { buildPoints, runOneStep } from './testing/property-checks.ts'

const NEEDS = [800, 250, 300]
const shares = { c1: 500_000, c2: 300_000, c3: 200_000 }
const KEYS = {
  static: { method: 'static', shares },
  default: { method: 'default' },
  priority: { method: 'priority', ranks: { c1: 1, c2: 2, c3: 3 } },
  equal: { method: 'equal' },
  redistributed: { method: 'redistributed', shares },
} satisfies Record<string, AllocationKey>
const fine = (values: number[]) => values.map((value) => value * 10_000)

describe('verified examples', () => {
  test.each([
    ['static', [500, 250, 200], 50],
    ['default', [592.5926, 185.1852, 222.2222], 0],
    ['priority', [800, 200, 0], 0],
    ['equal', [450, 250, 300], 0],
    ['redistributed', [535.7143, 250, 214.2857], 0],
  ] as const)('%s, 1 000 Wh', (method, expected, surplus) => {
    const result = runOneStep(KEYS[method], fine([1000]), fine(NEEDS))
    expect(result.a).toEqual(expected.map((value) => Math.round(value * 10_000)))
    expect(result.surplus).toEqual([surplus * 10_000])
  })

  test('1 500 Wh: only the static key leaves energy unused', () => {
    expect(runOneStep(KEYS.static, [1500], NEEDS)).toMatchObject({ a: [750, 250, 300], surplus: [200] })
    for (const key of [KEYS.default, KEYS.priority, KEYS.equal, KEYS.redistributed])
      expect(runOneStep(key, [1500], NEEDS)).toMatchObject({ a: [800, 250, 300], surplus: [150] })
  })

  test('whole Wh by largest remainder', () => {
    expect(runOneStep(KEYS.default, [1000], NEEDS).a).toEqual([593, 185, 222])
  })

  test('keys floored to a tenth of a percent lose a Wh when they are applied again', () => {
    const { a } = runOneStep(KEYS.default, [1000], NEEDS)
    const floored = computeCoefficients(
      Int32Array.of(1000),
      a.map((value) => Int32Array.of(value)),
      1,
    )
    expect(floored.map((curve) => curve[0])).toEqual([593_000, 185_000, 222_000])
    const coefficients = { c1: Int32Array.of(592_000), c2: Int32Array.of(185_000), c3: Int32Array.of(222_000) }
    expect(runOneStep({ method: 'simple', coefficients }, [1000], NEEDS)).toMatchObject({
      a: [592, 185, 222],
      surplus: [1],
    })
  })

  test('floored coefficients, from the exact shares', () => {
    const { a } = runOneStep(KEYS.default, fine([1000]), fine(NEEDS))
    const floored = computeCoefficients(
      Int32Array.from(fine([1000])),
      a.map((value) => Int32Array.of(value)),
      1,
    )
    expect(floored.map((curve) => curve[0])).toEqual([592_000, 185_000, 222_000])
  })

  test('full dynamic', () => {
    const key: AllocationKey = { method: 'complete', coefficients: { p1: { c1: 1_000_000 }, p2: { c2: 750_000 } } }
    const result = runOneStep(key, [600, 400], [800, 300, 0])
    expect(result).toMatchObject({ a: [600, 300, 0], surplus: [0, 100] })
    expect(result.matrix).toEqual([600, 0, 0, 0, 300, 0])
  })

  test('attribution of the pool to its producers', () => {
    const result = runOneStep(KEYS.default, [1200, 800], [800, 300, 0])
    expect(result).toMatchObject({ a: [800, 300, 0], shared: [660, 440], surplus: [540, 360] })
    expect(result.matrix).toEqual([480, 180, 0, 320, 120, 0])
  })
})

describe('edge cases', () => {
  test('no production, no consumption', () => {
    for (const key of Object.values(KEYS)) {
      expect(runOneStep(key, [0], NEEDS)).toMatchObject({ a: [0, 0, 0], surplus: [0] })
      expect(runOneStep(key, [1000], [0, 0, 0])).toMatchObject({ a: [0, 0, 0], surplus: [1000] })
    }
  })

  test('missing consumers or producers take no part; a step with none known is excluded', () => {
    const hole = runOneStep(KEYS.default, [600, 300], [811, MISSING, 307])
    expect(hole).toMatchObject({ a: [653, MISSING, 247], shared: [600, 300] })
    expect(hole.allocation.counts).toMatchObject({ excluded: 0, consumerMissing: 1, producerMissing: 0 })
    // Fixed shares do not change: that of an absent member becomes surplus.
    expect(runOneStep(KEYS.static, [1000], [811, MISSING, 307])).toMatchObject({
      a: [500, MISSING, 200],
      surplus: [300],
    })
    const nobody = runOneStep(KEYS.default, [600, 300], [MISSING, MISSING])
    expect(nobody).toMatchObject({ a: [MISSING, MISSING], shared: [MISSING, MISSING] })
    expect(nobody.allocation.counts).toMatchObject({ excluded: 1, consumerMissing: 1 })
    const half = runOneStep(KEYS.default, [1000, MISSING], NEEDS)
    expect(half).toMatchObject({ a: [593, 185, 222], shared: [1000, MISSING] })
    expect(half.allocation.counts).toMatchObject({ excluded: 0, producerMissing: 1 })
    expect([...runOneStep(KEYS.default, [MISSING], NEEDS).allocation.excluded]).toEqual([2])
  })

  test('steps without a key are excluded and counted; two keys at once are refused', () => {
    const curves = { producers: buildPoints('p', [[10, 10, 10]]), consumers: buildPoints('c', [[5, 5, 5]]) }
    const key = KEYS.default
    const { excluded, counts, allocated } = allocateEnergy({ steps: 3, ...curves, keys: [{ from: 1, to: 2, key }] })
    expect([...excluded]).toEqual([3, 0, 3])
    expect([...(allocated[0] ?? [])]).toEqual([MISSING, 5, MISSING])
    expect(counts).toMatchObject({ excluded: 2, noKey: 2 })
    expect(allocateEnergy({ steps: 3, ...curves, keys: [{ from: 2, to: 3, key }] }).counts).toMatchObject({ noKey: 2 })
    const twice = [
      { from: 0, to: 2, key },
      { from: 1, to: 3, key },
    ]
    expect(() => allocateEnergy({ steps: 3, ...curves, keys: twice })).toThrow(RangeError)
  })

  test('a key changes and a consumer enters in the middle of a period', () => {
    const consumers = buildPoints('c', [
      [800, 800],
      [250, 250],
      [300, 300],
    ])
    const [, , last] = consumers
    if (last) last.active = [[1, 2]]
    const keys = [
      { from: 0, to: 1, key: KEYS.default },
      { from: 1, to: 2, key: KEYS.static },
    ]
    const { allocated, consumed } = allocateEnergy({
      steps: 2,
      producers: buildPoints('p', [[1000, 1000]]),
      consumers,
      keys,
    })
    expect(allocated.map((curve) => [...curve])).toEqual([
      [762, 500],
      [238, 250],
      [0, 200],
    ])
    expect([...(consumed[2] ?? [])]).toEqual([0, 300])
  })

  test('the share of a member who left is surplus under a static key, redistributed otherwise', () => {
    const consumers = buildPoints('c', [[800], [800]])
    const [, gone] = consumers
    if (gone) gone.active = []
    const half = { c1: 500_000, c2: 500_000 }
    const of = (key: AllocationKey) =>
      allocateEnergy({ steps: 1, producers: buildPoints('p', [[1000]]), consumers, keys: [{ from: 0, to: 1, key }] })
        .allocated[0]?.[0]
    expect(of({ method: 'static', shares: half })).toBe(500)
    expect(of({ method: 'redistributed', shares: half })).toBe(800)
  })

  test('a step without coefficients follows the default key and is counted', () => {
    const coefficients = { c1: Int32Array.of(MISSING), c2: Int32Array.of(MISSING) }
    const result = runOneStep({ method: 'simple', coefficients }, [1000], NEEDS)
    expect(result.a).toEqual([593, 185, 222])
    expect(result.allocation.counts.defaulted).toBe(1)
  })

  test('coefficients above one in total are refused', () => {
    const over = { c1: 600_000, c2: 600_000 }
    expect(() => runOneStep({ method: 'static', shares: over }, [1000], NEEDS)).toThrow(RangeError)
    expect(() => runOneStep({ method: 'redistributed', shares: over }, [1000], NEEDS)).toThrow(RangeError)
    expect(() => runOneStep({ method: 'complete', coefficients: { p1: over } }, [1000], NEEDS)).toThrow(RangeError)
  })

  test('a total of exactly one is allowed, a millionth more is not', () => {
    const curves = (first: number) => ({ c1: Int32Array.of(first), c2: Int32Array.of(382_997) })
    for (const [c1, refused] of [
      [617_003, false],
      [617_004, true],
    ] as const) {
      const fixed = { c1, c2: 382_997 }
      const keys: AllocationKey[] = [
        { method: 'static', shares: fixed },
        { method: 'redistributed', shares: fixed },
        { method: 'simple', coefficients: curves(c1) },
        { method: 'complete', coefficients: { p1: fixed } },
      ]
      for (const key of keys) {
        const go = () => runOneStep(key, [1001], NEEDS)
        if (refused) expect(go, key.method).toThrow(RangeError)
        else expect(go, key.method).not.toThrow()
      }
    }
  })

  test('an excluded step is not counted as following the default key', () => {
    const bare = Int32Array.of(MISSING, MISSING, MISSING, MISSING)
    const { counts, excluded } = allocateEnergy({
      steps: 4,
      producers: buildPoints('p', [[1001, 1001, 1001, MISSING]]),
      // Zero is a measured value, in a curve with gaps too.
      consumers: buildPoints('c', [
        [811, MISSING, 0, 811],
        [257, MISSING, 257, 257],
      ]),
      keys: [{ from: 0, to: 4, key: { method: 'simple', coefficients: { c1: bare, c2: bare } } }],
    })
    expect([...excluded]).toEqual([0, 1, 0, 2])
    expect(counts).toMatchObject({ excluded: 2, consumerMissing: 1, defaulted: 2 })
  })

  test('with several reasons to exclude a step, a missing consumer comes before a missing producer', () => {
    const both = runOneStep(KEYS.default, [MISSING], [MISSING, MISSING]).allocation
    expect([...both.excluded]).toEqual([1])
    expect(both.counts).toMatchObject({ excluded: 1, consumerMissing: 1, producerMissing: 1 })
  })

  test('zero is a measured value: neither a consumer nor a producer at zero is missing', () => {
    const { counts } = runOneStep(KEYS.default, [701, 0], [811, 0, 307]).allocation
    expect(counts).toMatchObject({ excluded: 0, consumerMissing: 0, producerMissing: 0 })
  })

  test('what exceeds 31 bits is refused, and the largest 31-bit value is accepted', () => {
    expect(runOneStep(KEYS.default, [0x7ffffffe, 1], NEEDS).a).toEqual(NEEDS)
    expect(() => runOneStep(KEYS.default, [0x7fffffff, 1], NEEDS)).toThrow(RangeError)
  })

  test('a point that leaves gets nothing from that step on, and cannot be present twice', () => {
    const of = (...active: [number, number][]) => {
      const consumers = buildPoints('c', [[11, 11, 11, 11]]).map((point) => ({ ...point, active }))
      const producers = buildPoints('p', [[7, 7, 7, 7]])
      const keys = [{ from: 0, to: 4, key: KEYS.default }]
      return [...(allocateEnergy({ steps: 4, producers, consumers, keys }).allocated[0] ?? [])]
    }
    expect(of([0, 3])).toEqual([7, 7, 7, 0])
    expect(of([2, 4], [0, 1])).toEqual([7, 0, 7, 7])
    expect(of([0, 2], [2, 4])).toEqual([7, 7, 7, 7])
    expect(() => of([0, 2], [1, 4])).toThrow('twice in the operation at step 1')
  })

  test('allocate: refuses a curve that is shorter or longer than the period, of a producer as of a consumer', () => {
    const keys = [{ from: 0, to: 3, key: KEYS.default }]
    const [short, right, long] = [
      buildPoints('a', [[5, 5]]),
      buildPoints('b', [[5, 5, 5]]),
      buildPoints('c', [[5, 5, 5, 5]]),
    ]
    expect(() => allocateEnergy({ steps: 3, producers: right, consumers: right, keys })).not.toThrow()
    for (const wrong of [short, long]) {
      expect(() => allocateEnergy({ steps: 3, producers: wrong, consumers: right, keys })).toThrow('steps instead of 3')
      expect(() => allocateEnergy({ steps: 3, producers: right, consumers: wrong, keys })).toThrow('steps instead of 3')
    }
  })
})

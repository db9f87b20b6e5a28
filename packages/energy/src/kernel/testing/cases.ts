import fc from 'fast-check'
import { type Key, METHODS, type Method, WHOLE } from '../../keys/keys.ts'
import { MISSING } from '../../series/series.ts'
import type { AllocationInput } from '../allocate.ts'

/** Small figures meet ties and zeros; large ones leave 53 bits. */
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x7fffffff }) },
)
const reading = fc.oneof({ weight: 30, arbitrary: amount }, { weight: 1, arbitrary: fc.constant(MISSING) })

const curve = (steps: number, value: fc.Arbitrary<number>) =>
  fc.array(value, { minLength: steps, maxLength: steps }).map((values) => Int32Array.from(values))

const activity = (steps: number): fc.Arbitrary<[number, number][]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<[number, number][]>([[0, steps]]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat(steps), fc.nat(steps))
        .map(([a, b]): [number, number][] => [[Math.min(a, b), Math.max(a, b)]]),
    },
  )

/** Shares that sum to at most the whole, cut from a stick. */
export const sharesOf = (count: number): fc.Arbitrary<number[]> =>
  fc.tuple(fc.array(fc.nat(WHOLE), { minLength: count, maxLength: count }), fc.boolean()).map(([cuts, whole]) => {
    const sorted = cuts.toSorted((a, b) => a - b)
    const parts = sorted.map((cut, i) => cut - (sorted[i - 1] ?? 0))
    if (whole && parts.length > 0) parts[0] = (parts[0] ?? 0) + WHOLE - parts.reduce((a, b) => a + b, 0)
    return parts
  })

const named = <T>(prefix: string, values: T[]): Record<string, T> =>
  Object.fromEntries(values.map((value, i) => [`${prefix}${i}`, value]))

const curvesOf = (count: number, steps: number): fc.Arbitrary<Record<string, Int32Array>> =>
  fc.array(fc.option(sharesOf(count), { freq: 4 }), { minLength: steps, maxLength: steps }).map((rows) =>
    named(
      'c',
      Array.from({ length: count }, (_, i) => Int32Array.from(rows, (row) => row?.[i] ?? MISSING)),
    ),
  )

export function keyOf(method: Method, producers: number, consumers: number, steps: number): fc.Arbitrary<Key> {
  switch (method) {
    case 'default':
    case 'equal':
      return fc.constant({ method })
    case 'static':
    case 'redistributed':
      return sharesOf(consumers).map((shares) => ({ method, shares: named('c', shares) }))
    case 'priority':
      return fc
        .array(fc.integer({ min: 1, max: 4 }), { maxLength: consumers })
        .map((ranks) => ({ method, ranks: named('c', ranks) }))
    case 'simple':
      return curvesOf(consumers, steps).map((coefficients) => ({ method, coefficients }))
    case 'complete':
      return fc
        .array(
          fc.oneof(
            curvesOf(consumers, steps),
            sharesOf(consumers).map((row) => named('c', row)),
          ),
          {
            minLength: producers,
            maxLength: producers,
          },
        )
        .map((rows) => ({ method, coefficients: named<Record<string, Int32Array | number>>('p', rows) }))
  }
}

export type Sizes = { producers?: number; fewest?: number; consumers?: number; steps?: number; largest?: number }

/** An operation over a few steps with one key, entries, exits and holes; `clean` leaves the last three out. */
export function operation(
  methods: readonly Method[] = METHODS,
  clean = false,
  most: Sizes = {},
): fc.Arbitrary<AllocationInput> {
  const size = fc.record({
    method: fc.constantFrom(...methods),
    producers: fc.integer({ min: 1, max: most.producers ?? 3 }),
    consumers: fc.integer({ min: most.fewest ?? 1, max: most.consumers ?? 9 }),
    steps: fc.integer({ min: 1, max: most.steps ?? 4 }),
  })
  return size.chain(({ method, producers, consumers, steps }) => {
    const point = fc.record({
      values: curve(steps, most.largest ? fc.nat(most.largest) : clean ? amount : reading),
      active: clean ? fc.constant<[number, number][]>([[0, steps]]) : activity(steps),
    })
    // All producers together stay within 31 bits.
    const points = (prefix: string, count: number, parts = 1) =>
      fc.array(point, { minLength: count, maxLength: count }).map((all) =>
        all.map(({ values, active }, i) => ({
          id: `${prefix}${i}`,
          values: values.map((v) => Math.floor(v / parts)),
          active,
        })),
      )
    return fc
      .record({
        producers: points('p', producers, producers),
        consumers: points('c', consumers),
        key: keyOf(method, producers, consumers, steps),
      })
      .map(({ key, ...rest }) => ({ steps, ...rest, keys: [{ from: 0, to: steps, key }] }))
  })
}

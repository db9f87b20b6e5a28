import fc from 'fast-check'
import { type AllocationKey, KEY_METHODS, type KeyMethod, WHOLE_SHARE } from '../../keys/keys.ts'
import { MISSING } from '../../series/series.ts'
import type { AllocationInput, PointCurve } from '../allocate.ts'

/** Small values produce ties and zeros; large ones exceed the 53 bits of a double. */
const arbitraryAmount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x7fffffff }) },
)
const arbitraryReading = fc.oneof(
  { weight: 30, arbitrary: arbitraryAmount },
  { weight: 1, arbitrary: fc.constant(MISSING) },
)

const arbitraryCurve = (steps: number, value: fc.Arbitrary<number>) =>
  fc.array(value, { minLength: steps, maxLength: steps }).map((values) => Int32Array.from(values))

const arbitraryActivity = (steps: number): fc.Arbitrary<[number, number][]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<[number, number][]>([[0, steps]]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat(steps), fc.nat(steps))
        .map(([a, b]): [number, number][] => [[Math.min(a, b), Math.max(a, b)]]),
    },
  )

/** Shares that sum to at most the whole, by random cuts. */
const arbitraryShares = (count: number): fc.Arbitrary<number[]> =>
  fc.tuple(fc.array(fc.nat(WHOLE_SHARE), { minLength: count, maxLength: count }), fc.boolean()).map(([cuts, whole]) => {
    const sorted = cuts.toSorted((a, b) => a - b)
    const parts = sorted.map((cut, i) => cut - (sorted[i - 1] ?? 0))
    if (whole && parts.length > 0) parts[0] = (parts[0] ?? 0) + WHOLE_SHARE - parts.reduce((a, b) => a + b, 0)
    return parts
  })

const toRecord = <T>(prefix: string, values: T[]): Record<string, T> =>
  Object.fromEntries(values.map((value, i) => [`${prefix}${i}`, value]))

const arbitraryCurves = (count: number, steps: number): fc.Arbitrary<Record<string, Int32Array>> =>
  fc.array(fc.option(arbitraryShares(count), { freq: 4 }), { minLength: steps, maxLength: steps }).map((rows) =>
    toRecord(
      'c',
      Array.from({ length: count }, (_, i) => Int32Array.from(rows, (row) => row?.[i] ?? MISSING)),
    ),
  )

function arbitraryKey(
  method: KeyMethod,
  producers: number,
  consumers: number,
  steps: number,
): fc.Arbitrary<AllocationKey> {
  switch (method) {
    case 'default':
    case 'equal':
      return fc.constant({ method })
    case 'static':
    case 'redistributed':
      return arbitraryShares(consumers).map((shares) => ({ method, shares: toRecord('c', shares) }))
    case 'priority':
      return fc
        .array(fc.integer({ min: 1, max: 4 }), { maxLength: consumers })
        .map((ranks) => ({ method, ranks: toRecord('c', ranks) }))
    case 'simple':
      return arbitraryCurves(consumers, steps).map((coefficients) => ({ method, coefficients }))
    case 'complete':
      return fc
        .array(
          fc.oneof(
            arbitraryCurves(consumers, steps),
            arbitraryShares(consumers).map((row) => toRecord('c', row)),
          ),
          {
            minLength: producers,
            maxLength: producers,
          },
        )
        .map((rows) => ({ method, coefficients: toRecord<Record<string, Int32Array | number>>('p', rows) }))
  }
}

type CaseSizes = { producers?: number; fewest?: number; consumers?: number; steps?: number; largest?: number }

/** An operation over a few steps with one key, entries, exits and gaps; `clean` leaves the last three out. */
export function arbitraryOperation(
  methods: readonly KeyMethod[] = KEY_METHODS,
  clean = false,
  most: CaseSizes = {},
): fc.Arbitrary<AllocationInput> {
  const size = fc.record({
    method: fc.constantFrom(...methods),
    producers: fc.integer({ min: 1, max: most.producers ?? 3 }),
    consumers: fc.integer({ min: most.fewest ?? 1, max: most.consumers ?? 9 }),
    steps: fc.integer({ min: 1, max: most.steps ?? 4 }),
  })
  return size.chain(({ method, producers, consumers, steps }) => {
    const point = fc.record({
      values: arbitraryCurve(steps, most.largest ? fc.nat(most.largest) : clean ? arbitraryAmount : arbitraryReading),
      active: clean ? fc.constant<[number, number][]>([[0, steps]]) : arbitraryActivity(steps),
    })
    // The sum of all producers stays within 31 bits.
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
        key: arbitraryKey(method, producers, consumers, steps),
      })
      .map(({ key, ...rest }) => ({ steps, ...rest, keys: [{ from: 0, to: steps, key }] }))
  })
}

const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 })
const flagBatteries = (points: PointCurve[], is: boolean[]) =>
  points.map((point, k) => (is[k % is.length] ? { ...point, storage: true } : point))

/** Some of the points, consumers and producers, are batteries: one that charges is not always one that releases. */
export const arbitraryOperationWithBatteries = (
  methods: readonly KeyMethod[] = KEY_METHODS,
  clean = false,
  sizes: CaseSizes = {},
) =>
  fc.tuple(arbitraryOperation(methods, clean, sizes), flags, flags).map(
    ([input, charging, releasing]): AllocationInput => ({
      ...input,
      consumers: flagBatteries(input.consumers, charging),
      producers: flagBatteries(input.producers, releasing),
    }),
  )

/** The same points, none of them a battery. */
export const removeStorageFlags = (input: AllocationInput): AllocationInput => {
  const plain = ({ storage: _, ...point }: PointCurve): PointCurve => point
  return { ...input, consumers: input.consumers.map(plain), producers: input.producers.map(plain) }
}

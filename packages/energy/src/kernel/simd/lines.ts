import { type Code, doubles, i32, type Local, shiftWide, v128, type Writer } from './assembler.ts'

/** Steps side by side: a cache line of integers, four vectors. A member of a division has one such line of each figure. */
export const WIDTH = 16
export const LINE = WIDTH * Int32Array.BYTES_PER_ELEMENT

/** Where the figures of each step are, in bytes from the start of the memory; lines of members come after them. */
export const RATIO = 0
export const SUMS = 128
export const LOW = 192
export const HIGH = 256
export const COUNTS = 320
/** Doubles, as the ratios are: what those are the numerators of where they are not quotients yet, and what everyone needs. */
export const UNDER = 384
export const TOTALS = 512
export const FREE = 640

/** Remainders are kept in this part of a unit. */
export const UNIT = 2 ** 20
/** A double of this much and more has its last bit there: added to it, a figure is cut to the nearest such part. */
export const FIXED = 2 ** 52 / UNIT
/** The whole part of a figure that was added to it, in the lower half of each wide integer. */
export const wholeOf = (fixed: Code<'v128'>): Code<'v128'> => shiftWide(fixed, Math.log2(UNIT))

/** Once for each of the four vectors of a line. */
export const each = <T>(make: (v: number) => T): T[] => Array.from({ length: WIDTH / 4 }, (_, v) => make(v))

/** A figure of each step, kept in the processor's registers. */
export type Kept = Local<'v128'> | undefined
export const kept = (writer: Writer): Local<'v128'>[] => each(() => writer.local('v128'))
export const fourOf = ({ local }: Writer) => [local('v128'), local('v128'), local('v128'), local('v128')] as const
export const loadKept = (own: Local<'v128'>[], from: number): Code<'none'> =>
  own.flatMap((local, v) => local.set(v128.load(i32.of(from), v * 16)))
export const storeKept = (own: Local<'v128'>[], to: number): Code<'none'> =>
  own.flatMap((local, v) => v128.store(i32.of(to), local.get, v * 16))

/** A double of each step, two to a vector. */
export type Pairs = (readonly [Local<'v128'>, Local<'v128'>])[]
export const keptPairs = (writer: Writer): Pairs => each(() => [writer.local('v128'), writer.local('v128')] as const)
export const loadPairs = (own: Pairs, from: number): Code<'none'> =>
  own.flatMap(([low, high], v) => [
    ...low.set(v128.load(i32.of(from), v * 32)),
    ...high.set(v128.load(i32.of(from), v * 32 + 16)),
  ])
export const storePairs = (own: Pairs, to: number): Code<'none'> =>
  own.flatMap(([low, high], v) => [
    ...v128.store(i32.of(to), low.get, v * 32),
    ...v128.store(i32.of(to), high.get, v * 32 + 16),
  ])

export const addTo = (sum: Kept, value: Code<'v128'>): Code<'none'> => (sum ? sum.set(v128.add(sum.get, value)) : [])
/** A comparison that holds is -1: taken away, it counts. */
export const countIn = (sum: Kept, held: Code<'v128'>): Code<'none'> =>
  sum ? sum.set(v128.subtract(sum.get, held)) : []
export const next = (pointer: Local<'i32'>, by: Code<'i32'>): Code<'none'> => pointer.set(i32.add(pointer.get, by))
export const splat = (value: Code<'f64'>): Code<'v128'> => doubles.repeat(value)

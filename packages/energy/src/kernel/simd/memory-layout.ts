import { doubles, type FunctionWriter, i32, shiftWide, v128, type WasmCode, type WasmLocal } from './assembler.ts'

/** Steps handled side by side: one cache line of integers, four vectors. A member has one such line of each value. */
export const BAND_STEPS = 16
export const LINE_BYTES = BAND_STEPS * Int32Array.BYTES_PER_ELEMENT

/** Offsets of the values of each step, in bytes from the start of the memory; the lines of members come after them. */
export const RATIO_OFFSET = 0
export const SUMS_OFFSET = 128
export const LOW_OFFSET = 192
export const HIGH_OFFSET = 256
export const COUNTS_OFFSET = 320
/** Doubles, as the ratios are: the denominators while ratios are still numerators, and the total needs. */
export const DENOMINATOR_OFFSET = 384
export const TOTALS_OFFSET = 512
export const FREE_OFFSET = 640

/** Remainders are counted in this fraction of a unit. */
export const REMAINDER_UNIT = 2 ** 20
/**
 * The last bit of a double at least this large has that value: adding it rounds a number to the nearest such fraction.
 */
export const FIXED_POINT_BASE = 2 ** 52 / REMAINDER_UNIT
/** The whole part of a number that was added to that base, in the lower half of each 64-bit integer. */
export const takeWholePart = (fixed: WasmCode<'v128'>): WasmCode<'v128'> => shiftWide(fixed, Math.log2(REMAINDER_UNIT))

/** Once for each of the four vectors of a line. */
export const buildForEachVector = <T>(make: (v: number) => T): T[] =>
  Array.from({ length: BAND_STEPS / 4 }, (_, v) => make(v))

/** A value of each step, kept in the registers of the processor. */
export type StepRegister = WasmLocal<'v128'> | undefined
export const createStepRegisters = (writer: FunctionWriter): WasmLocal<'v128'>[] =>
  buildForEachVector(() => writer.local('v128'))
export const createFourRegisters = ({ local }: FunctionWriter) =>
  [local('v128'), local('v128'), local('v128'), local('v128')] as const
export const loadRegisters = (own: WasmLocal<'v128'>[], from: number): WasmCode<'none'> =>
  own.flatMap((local, v) => local.set(v128.load(i32.of(from), v * 16)))
export const storeRegisters = (own: WasmLocal<'v128'>[], to: number): WasmCode<'none'> =>
  own.flatMap((local, v) => v128.store(i32.of(to), local.get, v * 16))

/** A double of each step, two to a vector. */
export type RegisterPairs = (readonly [WasmLocal<'v128'>, WasmLocal<'v128'>])[]
export const createRegisterPairs = (writer: FunctionWriter): RegisterPairs =>
  buildForEachVector(() => [writer.local('v128'), writer.local('v128')] as const)
export const loadRegisterPairs = (own: RegisterPairs, from: number): WasmCode<'none'> =>
  own.flatMap(([low, high], v) => [
    ...low.set(v128.load(i32.of(from), v * 32)),
    ...high.set(v128.load(i32.of(from), v * 32 + 16)),
  ])
export const storeRegisterPairs = (own: RegisterPairs, to: number): WasmCode<'none'> =>
  own.flatMap(([low, high], v) => [
    ...v128.store(i32.of(to), low.get, v * 32),
    ...v128.store(i32.of(to), high.get, v * 32 + 16),
  ])

export const addToRegister = (sum: StepRegister, value: WasmCode<'v128'>): WasmCode<'none'> =>
  sum ? sum.set(v128.add(sum.get, value)) : []
/** A true comparison is -1: subtracting it counts one. */
export const countInRegister = (sum: StepRegister, held: WasmCode<'v128'>): WasmCode<'none'> =>
  sum ? sum.set(v128.subtract(sum.get, held)) : []
export const advancePointer = (pointer: WasmLocal<'i32'>, by: WasmCode<'i32'>): WasmCode<'none'> =>
  pointer.set(i32.add(pointer.get, by))
export const splat = (value: WasmCode<'f64'>): WasmCode<'v128'> => doubles.repeat(value)

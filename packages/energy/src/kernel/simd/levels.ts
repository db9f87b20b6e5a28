import {
  buildBlock,
  buildLoop,
  defineFunction,
  doubles,
  f64,
  i32,
  lowHalves,
  singles,
  v128,
  type WasmCode,
  type WasmLocal,
} from './assembler.ts'
import * as lines from './memory-layout.ts'

/** Adds up, for each step, the needs and the weights of the members that are full. */
const addFull = (
  sum: lines.StepRegister,
  weights: lines.StepRegister,
  need: WasmCode<'v128'>,
  weight: WasmCode<'v128'>,
  full: WasmCode<'v128'>,
) => buildBlock(lines.addToRegister(sum, v128.and(need, full)), lines.addToRegister(weights, v128.and(weight, full)))

const WEIGHTED_PARAMETERS = ['need', 'end', 'stride', 'weight', 'weightStride'] as const
type WeightedParameters = Record<(typeof WEIGHTED_PARAMETERS)[number], WasmLocal<'i32'>>

/** The four vectors of each member in turn, once its weight has been read. */
const buildMemberLoop = (
  { need, end, stride, weight, weightStride }: WeightedParameters,
  heavy: WasmLocal<'v128'>,
  first: WasmCode<'none'>,
  line: (v: number) => WasmCode<'none'>,
) =>
  buildLoop(
    buildBlock(
      heavy.set(v128.repeat(weight.get)),
      first,
      ...lines.buildForEachVector(line),
      lines.advancePointer(need, stride.get),
      lines.advancePointer(weight, weightStride.get),
    ),
    i32.below(need.get, end.get),
  )

/** A member whose need does not exceed the level, in whole units, is full: exact where all weights are one. */
const fullByOne = defineFunction('fullByOne', ['need', 'end', 'stride'], ({ need, end, stride }, writer) => {
  const [level, sums, counts] = [
    lines.createStepRegisters(writer),
    lines.createStepRegisters(writer),
    lines.createStepRegisters(writer),
  ]
  const [own, over] = [writer.local('v128'), writer.local('v128')]
  const line = (v: number) =>
    buildBlock(
      own.set(v128.load(need.get, v * 16)),
      over.set(v128.greater(own.get, level[v]?.get ?? v128.zero)),
      lines.addToRegister(sums[v], v128.andNot(own.get, over.get)),
      lines.addToRegister(counts[v], v128.andNot(v128.integers(1), over.get)),
    )
  return buildBlock(
    lines.loadRegisters(level, lines.LOW_OFFSET),
    buildLoop(
      buildBlock(...lines.buildForEachVector(line), lines.advancePointer(need, stride.get)),
      i32.below(need.get, end.get),
    ),
    lines.storeRegisters(sums, lines.SUMS_OFFSET),
    lines.storeRegisters(counts, lines.COUNTS_OFFSET),
  )
})

/**
 * A member whose need does not exceed weight × level is full; both products are exact: values have 31 bits, and the sum
 * of weights 20.
 */
const fullByWeight = defineFunction('fullByWeight', WEIGHTED_PARAMETERS, (own, writer) => {
  const [numerators, denominators] = [lines.createRegisterPairs(writer), lines.createRegisterPairs(writer)]
  const [sums, weights] = [lines.createStepRegisters(writer), lines.createStepRegisters(writer)]
  const [needed, heavy, double, full] = lines.createFourRegisters(writer)
  const isFull = (half: 0 | 1, v: number) =>
    doubles.atMost(
      doubles.multiply(
        half === 0 ? doubles.signedLower(needed.get) : doubles.signedUpper(needed.get),
        denominators[v]?.[half].get ?? v128.zero,
      ),
      doubles.multiply(double.get, numerators[v]?.[half].get ?? v128.zero),
    )
  const line = (v: number) =>
    buildBlock(
      needed.set(v128.load(own.need.get, v * 16)),
      full.set(lowHalves(isFull(0, v), isFull(1, v))),
      addFull(sums[v], weights[v], needed.get, heavy.get, full.get),
    )
  return buildBlock(
    lines.loadRegisterPairs(numerators, lines.RATIO_OFFSET),
    lines.loadRegisterPairs(denominators, lines.DENOMINATOR_OFFSET),
    buildMemberLoop(own, heavy, double.set(doubles.signedLower(heavy.get)), line),
    lines.storeRegisters(sums, lines.SUMS_OFFSET),
    lines.storeRegisters(weights, lines.COUNTS_OFFSET),
  )
})

/** An approximation of who is full, in half the time: used only to guess the level. */
const fullNearly = defineFunction('fullNearly', WEIGHTED_PARAMETERS, (own, writer) => {
  const [level, sums, weights] = [
    lines.createStepRegisters(writer),
    lines.createStepRegisters(writer),
    lines.createStepRegisters(writer),
  ]
  const [needed, heavy, single, full] = lines.createFourRegisters(writer)
  const line = (v: number) =>
    buildBlock(
      needed.set(v128.load(own.need.get, v * 16)),
      full.set(singles.atMost(singles.of(needed.get), singles.multiply(single.get, level[v]?.get ?? v128.zero))),
      addFull(sums[v], weights[v], needed.get, heavy.get, full.get),
    )
  return buildBlock(
    lines.loadRegisters(level, lines.RATIO_OFFSET),
    buildMemberLoop(own, heavy, single.set(singles.of(heavy.get)), line),
    lines.storeRegisters(sums, lines.SUMS_OFFSET),
    lines.storeRegisters(weights, lines.COUNTS_OFFSET),
  )
})

/** Above this level all members are full: no need is that large in a pool below SMALL_POT. */
const MAX_LEVEL = 2 ** 30
/** Below it, a product rounded to 2^-20 is enough: see `fullByRatio`. */
export const MAX_SMALL_POT = 2 ** 29

/**
 * The same for small pools, by weight × ratio in whole units, with half as many products. A level of w·n/d is whole or
 * at least 1/d below an integer, d is below 2^20, and the error of doubles is below 2^-22: rounded to the nearest
 * 2^-20, its whole part is exact.
 */
const fullByRatio = defineFunction('fullByRatio', WEIGHTED_PARAMETERS, (own, writer) => {
  const ratios = lines.createRegisterPairs(writer)
  const [sums, weights] = [lines.createStepRegisters(writer), lines.createStepRegisters(writer)]
  const [needed, heavy, double, over] = lines.createFourRegisters(writer)
  const [fixed, most] = lines.createFourRegisters(writer)
  const level = (ratio: WasmCode<'v128'> = v128.zero) =>
    lines.takeWholePart(doubles.add(doubles.least(doubles.multiply(double.get, ratio), most.get), fixed.get))
  const line = (v: number) =>
    buildBlock(
      needed.set(v128.load(own.need.get, v * 16)),
      over.set(v128.greater(needed.get, lowHalves(level(ratios[v]?.[0].get), level(ratios[v]?.[1].get)))),
      lines.addToRegister(sums[v], v128.andNot(needed.get, over.get)),
      lines.addToRegister(weights[v], v128.andNot(heavy.get, over.get)),
    )
  return buildBlock(
    lines.loadRegisterPairs(ratios, lines.RATIO_OFFSET),
    fixed.set(lines.splat(f64.of(lines.FIXED_POINT_BASE))),
    most.set(lines.splat(f64.of(MAX_LEVEL))),
    buildMemberLoop(own, heavy, double.set(doubles.signedLower(heavy.get)), line),
    lines.storeRegisters(sums, lines.SUMS_OFFSET),
    lines.storeRegisters(weights, lines.COUNTS_OFFSET),
  )
})

/**
 * Every member gets up to LOW, or its need if smaller; the units of HIGH go to the first that are not full. Shares are
 * written over needs.
 */
const rise = defineFunction('rise', ['need', 'end'], ({ need, end }, writer) => {
  const [level, units] = [lines.createStepRegisters(writer), lines.createStepRegisters(writer)]
  const [own, unit] = [writer.local('v128'), writer.local('v128')]
  const line = (v: number) => {
    const [height, left] = [level[v], units[v]]
    if (!height || !left) throw new RangeError('no room')
    return buildBlock(
      own.set(v128.load(need.get, v * 16)),
      unit.set(v128.and(v128.greater(own.get, height.get), v128.greater(left.get, v128.zero))),
      lines.addToRegister(left, unit.get),
      v128.store(need.get, v128.subtract(v128.least(own.get, height.get), unit.get), v * 16),
    )
  }
  return buildBlock(
    lines.loadRegisters(level, lines.LOW_OFFSET),
    lines.loadRegisters(units, lines.HIGH_OFFSET),
    buildLoop(
      buildBlock(...lines.buildForEachVector(line), lines.advancePointer(need, i32.of(lines.LINE_BYTES))),
      i32.below(need.get, end.get),
    ),
  )
})

export const levelRoutines = [fullByOne, fullByWeight, fullNearly, fullByRatio, rise]

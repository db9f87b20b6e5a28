import {
  buildBlock,
  buildIf,
  buildLoop,
  defineFunction,
  doubles,
  f64,
  i32,
  lowHalves,
  v128,
  type WasmCode,
} from './assembler.ts'
import * as lines from './memory-layout.ts'

/** How the weight of a member is given: as a curve, or as one integer for all steps. */
type Weights = 'curve' | 'one'

/** A double between 2^52 and 2^53 has its integer in the lower half and this in the upper one. */
const EXPONENT = 0x43300000
const BASE = 2 ** 52

/**
 * Whole parts of weight × ratio, their sums, and what each leaves of a unit; with `fill` no more than the need. Adding
 * 2^32 rounds a product to the nearest 2^-20: one that comes out a unit high was so close to it that its member is
 * served in any case.
 */
const defineFloors = (name: string, weights: Weights, fill: boolean) =>
  defineFunction(name, ['need', 'weight', 'floor', 'rest', 'end'], ({ need, weight, floor, rest, end }, writer) => {
    const ratios = lines.createRegisterPairs(writer)
    const sums = lines.createStepRegisters(writer)
    const [exponent, base, fixed, parts] = lines.createStepRegisters(writer)
    const [own, low, high, whole] = lines.createStepRegisters(writer)
    if (!exponent || !base || !fixed || !parts || !own || !low || !high || !whole) throw new RangeError('no room')
    const double = { low: doubles.lower, high: doubles.upper }
    const ofLine = (half: 'low' | 'high', line: WasmCode<'v128'>) => double[half](line, exponent.get, base.get)
    const line = (v: number): WasmCode<'none'> => {
      const [first, second] = ratios[v] ?? [low, high]
      const weightOf = (half: 'low' | 'high') => (weights === 'curve' ? ofLine(half, own.get) : own.get)
      return buildBlock(
        weights === 'curve' ? own.set(v128.load(weight.get, v * 16)) : [],
        low.set(doubles.multiply(weightOf('low'), first.get)),
        high.set(doubles.multiply(weightOf('high'), second.get)),
        fill ? whole.set(v128.load(need.get, v * 16)) : [],
        fill ? low.set(doubles.least(low.get, ofLine('low', whole.get))) : [],
        fill ? high.set(doubles.least(high.get, ofLine('high', whole.get))) : [],
        low.set(doubles.add(low.get, fixed.get)),
        high.set(doubles.add(high.get, fixed.get)),
        whole.set(lowHalves(lines.takeWholePart(low.get), lines.takeWholePart(high.get))),
        lines.addToRegister(sums[v], whole.get),
        v128.store(floor.get, whole.get, v * 16),
        v128.store(rest.get, v128.and(lowHalves(low.get, high.get), parts.get), v * 16),
      )
    }
    return buildBlock(
      lines.loadRegisterPairs(ratios, lines.RATIO_OFFSET),
      exponent.set(v128.integers(EXPONENT)),
      base.set(lines.splat(f64.of(BASE))),
      fixed.set(lines.splat(f64.of(lines.FIXED_POINT_BASE))),
      parts.set(v128.integers(lines.REMAINDER_UNIT - 1)),
      buildLoop(
        buildBlock(
          weights === 'one' ? own.set(ofLine('low', v128.repeat(weight.get))) : [],
          ...lines.buildForEachVector(line),
          lines.advancePointer(need, i32.of(lines.LINE_BYTES)),
          lines.advancePointer(weight, i32.of(weights === 'curve' ? lines.LINE_BYTES : 4)),
          lines.advancePointer(floor, i32.of(lines.LINE_BYTES)),
          lines.advancePointer(rest, i32.of(lines.LINE_BYTES)),
        ),
        i32.below(rest.get, end.get),
      ),
      lines.storeRegisters(sums, lines.SUMS_OFFSET),
    )
  })

/** How many members have a remainder of at least LOW at each step. */
const countRoutine = defineFunction('count', ['rest', 'end'], ({ rest, end }, writer) => {
  const low = lines.createStepRegisters(writer)
  const counts = lines.createStepRegisters(writer)
  const line = (v: number) =>
    lines.countInRegister(counts[v], v128.atLeast(v128.load(rest.get, v * 16), low[v]?.get ?? v128.zero))
  return buildBlock(
    lines.loadRegisters(low, lines.LOW_OFFSET),
    buildLoop(
      buildBlock(...lines.buildForEachVector(line), lines.advancePointer(rest, i32.of(lines.LINE_BYTES))),
      i32.below(rest.get, end.get),
    ),
    lines.storeRegisters(counts, lines.COUNTS_OFFSET),
  )
})

/**
 * How many members have a remainder of at least HIGH at each step. Lists those with one between LOW and HIGH at some
 * step, each with a bit for every such step; returns the end of the list.
 */
const findTiesRoutine = defineFunction(
  'near',
  ['rest', 'end', 'found'],
  ({ rest, end, found }, writer) => {
    const [low, high, counts, doubts] = lines.buildForEachVector(() => lines.createStepRegisters(writer))
    const [own, served] = lines.createStepRegisters(writer)
    if (!low || !high || !counts || !doubts || !own || !served) throw new RangeError('no room')
    const member = writer.local('i32')
    const line = (doubt: (typeof doubts)[number], v: number) =>
      buildBlock(
        own.set(v128.load(rest.get, v * 16)),
        served.set(v128.atLeast(own.get, high[v]?.get ?? v128.zero)),
        lines.countInRegister(counts[v], served.get),
        doubt.set(v128.andNot(v128.atLeast(own.get, low[v]?.get ?? v128.zero), served.get)),
      )
    const anywhere = doubts.map(({ get }) => get).reduce((a, b) => v128.or(a, b))
    const steps = doubts.map(({ get }, v) => i32.shift(v128.bits(get), v * 4)).reduce((a, b) => i32.or(a, b))
    return buildBlock(
      lines.loadRegisters(low, lines.LOW_OFFSET),
      lines.loadRegisters(high, lines.HIGH_OFFSET),
      buildLoop(
        buildBlock(
          ...doubts.map(line),
          buildIf(
            v128.any(anywhere),
            buildBlock(
              i32.store(found.get, member.get),
              i32.store(found.get, steps, 4),
              lines.advancePointer(found, i32.of(8)),
            ),
          ),
          lines.advancePointer(member, i32.of(1)),
          lines.advancePointer(rest, i32.of(lines.LINE_BYTES)),
        ),
        i32.below(rest.get, end.get),
      ),
      lines.storeRegisters(counts, lines.COUNTS_OFFSET),
    )
  },
  ({ found }) => found.get,
)

/** Writes shares over needs: the floor, plus a unit for a remainder of at least HIGH, and never more than the need. */
const placeSharesRoutine = defineFunction(
  'place',
  ['need', 'floor', 'rest', 'end'],
  ({ need, floor, rest, end }, writer) => {
    const [high, sums] = [lines.createStepRegisters(writer), lines.createStepRegisters(writer)]
    const part = writer.local('v128')
    const line = (v: number) => {
      const served = v128.atLeast(v128.load(rest.get, v * 16), high[v]?.get ?? v128.zero)
      return buildBlock(
        part.set(v128.least(v128.subtract(v128.load(floor.get, v * 16), served), v128.load(need.get, v * 16))),
        v128.store(need.get, part.get, v * 16),
        lines.addToRegister(sums[v], part.get),
      )
    }
    return buildBlock(
      lines.loadRegisters(high, lines.HIGH_OFFSET),
      buildLoop(
        buildBlock(
          ...lines.buildForEachVector(line),
          ...[need, floor, rest].map((own) => lines.advancePointer(own, i32.of(lines.LINE_BYTES))),
        ),
        i32.below(rest.get, end.get),
      ),
      lines.storeRegisters(sums, lines.SUMS_OFFSET),
    )
  },
)

export const remainderRoutines = [
  defineFloors('floorsByCurve', 'curve', false),
  defineFloors('floorsByOne', 'one', false),
  defineFloors('fillByCurve', 'curve', true),
  defineFloors('fillByOne', 'one', true),
  countRoutine,
  findTiesRoutine,
  placeSharesRoutine,
]

import {
  block,
  type Code,
  define,
  doubles,
  f64,
  i32,
  type Local,
  lowHalves,
  repeat,
  singles,
  v128,
} from './assembler.ts'
import * as lines from './lines.ts'

/** Adds up, for each step, what those need who are full, and what they weigh. */
const addFull = (sum: lines.Kept, weights: lines.Kept, need: Code<'v128'>, weight: Code<'v128'>, full: Code<'v128'>) =>
  block(lines.addTo(sum, v128.and(need, full)), lines.addTo(weights, v128.and(weight, full)))

const WEIGHED = ['need', 'end', 'stride', 'weight', 'weightStride'] as const
type Weighed = Record<(typeof WEIGHED)[number], Local<'i32'>>

/** The four vectors of each member after the other's, once its weight has been read. */
const walk = (
  { need, end, stride, weight, weightStride }: Weighed,
  heavy: Local<'v128'>,
  first: Code<'none'>,
  line: (v: number) => Code<'none'>,
) =>
  repeat(
    block(
      heavy.set(v128.repeat(weight.get)),
      first,
      ...lines.each(line),
      lines.next(need, stride.get),
      lines.next(weight, weightStride.get),
    ),
    i32.below(need.get, end.get),
  )

/** Who needs no more than the level, in whole units, is full: that is exact where all weigh one. */
const fullByOne = define('fullByOne', ['need', 'end', 'stride'], ({ need, end, stride }, writer) => {
  const [level, sums, counts] = [lines.kept(writer), lines.kept(writer), lines.kept(writer)]
  const [own, over] = [writer.local('v128'), writer.local('v128')]
  const line = (v: number) =>
    block(
      own.set(v128.load(need.get, v * 16)),
      over.set(v128.greater(own.get, level[v]?.get ?? v128.zero)),
      lines.addTo(sums[v], v128.andNot(own.get, over.get)),
      lines.addTo(counts[v], v128.andNot(v128.integers(1), over.get)),
    )
  return block(
    lines.loadKept(level, lines.LOW),
    repeat(block(...lines.each(line), lines.next(need, stride.get)), i32.below(need.get, end.get)),
    lines.storeKept(sums, lines.SUMS),
    lines.storeKept(counts, lines.COUNTS),
  )
})

/** Who needs no more than weight × level is full; both products are exact: figures have 31 bits, and all weights together 20. */
const fullByWeight = define('fullByWeight', WEIGHED, (own, writer) => {
  const [numerators, denominators] = [lines.keptPairs(writer), lines.keptPairs(writer)]
  const [sums, weights] = [lines.kept(writer), lines.kept(writer)]
  const [needed, heavy, double, full] = lines.fourOf(writer)
  const isFull = (half: 0 | 1, v: number) =>
    doubles.atMost(
      doubles.multiply(
        half === 0 ? doubles.signedLower(needed.get) : doubles.signedUpper(needed.get),
        denominators[v]?.[half].get ?? v128.zero,
      ),
      doubles.multiply(double.get, numerators[v]?.[half].get ?? v128.zero),
    )
  const line = (v: number) =>
    block(
      needed.set(v128.load(own.need.get, v * 16)),
      full.set(lowHalves(isFull(0, v), isFull(1, v))),
      addFull(sums[v], weights[v], needed.get, heavy.get, full.get),
    )
  return block(
    lines.loadPairs(numerators, lines.RATIO),
    lines.loadPairs(denominators, lines.UNDER),
    walk(own, heavy, double.set(doubles.signedLower(heavy.get)), line),
    lines.storeKept(sums, lines.SUMS),
    lines.storeKept(weights, lines.COUNTS),
  )
})

/** About who is full, in half the time: only where to look for the level is learnt from it. */
const fullNearly = define('fullNearly', WEIGHED, (own, writer) => {
  const [level, sums, weights] = [lines.kept(writer), lines.kept(writer), lines.kept(writer)]
  const [needed, heavy, single, full] = lines.fourOf(writer)
  const line = (v: number) =>
    block(
      needed.set(v128.load(own.need.get, v * 16)),
      full.set(singles.atMost(singles.of(needed.get), singles.multiply(single.get, level[v]?.get ?? v128.zero))),
      addFull(sums[v], weights[v], needed.get, heavy.get, full.get),
    )
  return block(
    lines.loadKept(level, lines.RATIO),
    walk(own, heavy, single.set(singles.of(heavy.get)), line),
    lines.storeKept(sums, lines.SUMS),
    lines.storeKept(weights, lines.COUNTS),
  )
})

/** Products above are all alike: nobody needs so much of a pot below SMALL_POT. */
const MOST = 2 ** 30
/** Below it, a product rounded to 2^-20 tells as well: see `fullByRatio`. */
export const SMALL_POT = 2 ** 29

/**
 * The same where pots are small, by weight × ratio in whole units, with half as many products. A level of w·n/d is whole or at
 * least 1/d under it, d is below 2^20, and what doubles are off is below 2^-22: cut to the nearest 2^-20, its whole part is exact.
 */
const fullByRatio = define('fullByRatio', WEIGHED, (own, writer) => {
  const ratios = lines.keptPairs(writer)
  const [sums, weights] = [lines.kept(writer), lines.kept(writer)]
  const [needed, heavy, double, over] = lines.fourOf(writer)
  const [fixed, most] = lines.fourOf(writer)
  const level = (ratio: Code<'v128'> = v128.zero) =>
    lines.wholeOf(doubles.add(doubles.least(doubles.multiply(double.get, ratio), most.get), fixed.get))
  const line = (v: number) =>
    block(
      needed.set(v128.load(own.need.get, v * 16)),
      over.set(v128.greater(needed.get, lowHalves(level(ratios[v]?.[0].get), level(ratios[v]?.[1].get)))),
      lines.addTo(sums[v], v128.andNot(needed.get, over.get)),
      lines.addTo(weights[v], v128.andNot(heavy.get, over.get)),
    )
  return block(
    lines.loadPairs(ratios, lines.RATIO),
    fixed.set(lines.splat(f64.of(lines.FIXED))),
    most.set(lines.splat(f64.of(MOST))),
    walk(own, heavy, double.set(doubles.signedLower(heavy.get)), line),
    lines.storeKept(sums, lines.SUMS),
    lines.storeKept(weights, lines.COUNTS),
  )
})

/** Everyone rises to LOW, or is full before; the units of HIGH go to the first who are not. Shares take the place of needs. */
const rise = define('rise', ['need', 'end'], ({ need, end }, writer) => {
  const [level, units] = [lines.kept(writer), lines.kept(writer)]
  const [own, unit] = [writer.local('v128'), writer.local('v128')]
  const line = (v: number) => {
    const [height, left] = [level[v], units[v]]
    if (!height || !left) throw new RangeError('no room')
    return block(
      own.set(v128.load(need.get, v * 16)),
      unit.set(v128.and(v128.greater(own.get, height.get), v128.greater(left.get, v128.zero))),
      lines.addTo(left, unit.get),
      v128.store(need.get, v128.subtract(v128.least(own.get, height.get), unit.get), v * 16),
    )
  }
  return block(
    lines.loadKept(level, lines.LOW),
    lines.loadKept(units, lines.HIGH),
    repeat(block(...lines.each(line), lines.next(need, i32.of(lines.LINE))), i32.below(need.get, end.get)),
  )
})

export const levelRoutines = [fullByOne, fullByWeight, fullNearly, fullByRatio, rise]

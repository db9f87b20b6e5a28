import { block, type Code, define, doubles, f64, i32, lowHalves, repeat, v128, when } from './assembler.ts'
import * as lines from './lines.ts'

/** How the weight of a member is given: as a curve, or as one integer for all steps. */
type Weights = 'curve' | 'one'

/** A double of 2^52 has its integer in the lower half and this in the upper one. */
const EXPONENT = 0x43300000
const BASE = 2 ** 52

/**
 * Whole parts of weight × ratio, their sums, and what each leaves of a unit; with `fill` no more than the need. Added to 2^32 a
 * product is cut to the nearest 2^-20: one that comes out a unit high lacked so little of it that its member is served in any case.
 */
const floors = (name: string, weights: Weights, fill: boolean) =>
  define(name, ['need', 'weight', 'floor', 'rest', 'end'], ({ need, weight, floor, rest, end }, writer) => {
    const ratios = lines.keptPairs(writer)
    const sums = lines.kept(writer)
    const [exponent, base, fixed, parts] = lines.kept(writer)
    const [own, low, high, whole] = lines.kept(writer)
    if (!exponent || !base || !fixed || !parts || !own || !low || !high || !whole) throw new RangeError('no room')
    const double = { low: doubles.lower, high: doubles.upper }
    const ofLine = (half: 'low' | 'high', line: Code<'v128'>) => double[half](line, exponent.get, base.get)
    const line = (v: number): Code<'none'> => {
      const [first, second] = ratios[v] ?? [low, high]
      const weightOf = (half: 'low' | 'high') => (weights === 'curve' ? ofLine(half, own.get) : own.get)
      return block(
        weights === 'curve' ? own.set(v128.load(weight.get, v * 16)) : [],
        low.set(doubles.multiply(weightOf('low'), first.get)),
        high.set(doubles.multiply(weightOf('high'), second.get)),
        fill ? whole.set(v128.load(need.get, v * 16)) : [],
        fill ? low.set(doubles.least(low.get, ofLine('low', whole.get))) : [],
        fill ? high.set(doubles.least(high.get, ofLine('high', whole.get))) : [],
        low.set(doubles.add(low.get, fixed.get)),
        high.set(doubles.add(high.get, fixed.get)),
        whole.set(lowHalves(lines.wholeOf(low.get), lines.wholeOf(high.get))),
        lines.addTo(sums[v], whole.get),
        v128.store(floor.get, whole.get, v * 16),
        v128.store(rest.get, v128.and(lowHalves(low.get, high.get), parts.get), v * 16),
      )
    }
    return block(
      lines.loadPairs(ratios, lines.RATIO),
      exponent.set(v128.integers(EXPONENT)),
      base.set(lines.splat(f64.of(BASE))),
      fixed.set(lines.splat(f64.of(lines.FIXED))),
      parts.set(v128.integers(lines.UNIT - 1)),
      repeat(
        block(
          weights === 'one' ? own.set(ofLine('low', v128.repeat(weight.get))) : [],
          ...lines.each(line),
          lines.next(need, i32.of(lines.LINE)),
          lines.next(weight, i32.of(weights === 'curve' ? lines.LINE : 4)),
          lines.next(floor, i32.of(lines.LINE)),
          lines.next(rest, i32.of(lines.LINE)),
        ),
        i32.below(rest.get, end.get),
      ),
      lines.storeKept(sums, lines.SUMS),
    )
  })

/** How many members of each step leave at least LOW. */
const count = define('count', ['rest', 'end'], ({ rest, end }, writer) => {
  const low = lines.kept(writer)
  const counts = lines.kept(writer)
  const line = (v: number) =>
    lines.countIn(counts[v], v128.atLeast(v128.load(rest.get, v * 16), low[v]?.get ?? v128.zero))
  return block(
    lines.loadKept(low, lines.LOW),
    repeat(block(...lines.each(line), lines.next(rest, i32.of(lines.LINE))), i32.below(rest.get, end.get)),
    lines.storeKept(counts, lines.COUNTS),
  )
})

/**
 * How many members of each step leave at least HIGH. Lists those who leave between LOW and HIGH at some step, each with a bit for
 * every such step; returns where the list ends.
 */
const near = define(
  'near',
  ['rest', 'end', 'found'],
  ({ rest, end, found }, writer) => {
    const [low, high, counts, doubts] = lines.each(() => lines.kept(writer))
    const [own, served] = lines.kept(writer)
    if (!low || !high || !counts || !doubts || !own || !served) throw new RangeError('no room')
    const member = writer.local('i32')
    const line = (doubt: (typeof doubts)[number], v: number) =>
      block(
        own.set(v128.load(rest.get, v * 16)),
        served.set(v128.atLeast(own.get, high[v]?.get ?? v128.zero)),
        lines.countIn(counts[v], served.get),
        doubt.set(v128.andNot(v128.atLeast(own.get, low[v]?.get ?? v128.zero), served.get)),
      )
    const anywhere = doubts.map(({ get }) => get).reduce((a, b) => v128.or(a, b))
    const steps = doubts.map(({ get }, v) => i32.shift(v128.bits(get), v * 4)).reduce((a, b) => i32.or(a, b))
    return block(
      lines.loadKept(low, lines.LOW),
      lines.loadKept(high, lines.HIGH),
      repeat(
        block(
          ...doubts.map(line),
          when(
            v128.any(anywhere),
            block(i32.store(found.get, member.get), i32.store(found.get, steps, 4), lines.next(found, i32.of(8))),
          ),
          lines.next(member, i32.of(1)),
          lines.next(rest, i32.of(lines.LINE)),
        ),
        i32.below(rest.get, end.get),
      ),
      lines.storeKept(counts, lines.COUNTS),
    )
  },
  ({ found }) => found.get,
)

/** Makes shares of the floors, in the place of the needs: a unit more for who leaves at least HIGH, and never more than the need. */
const place = define('place', ['need', 'floor', 'rest', 'end'], ({ need, floor, rest, end }, writer) => {
  const [high, sums] = [lines.kept(writer), lines.kept(writer)]
  const part = writer.local('v128')
  const line = (v: number) => {
    const served = v128.atLeast(v128.load(rest.get, v * 16), high[v]?.get ?? v128.zero)
    return block(
      part.set(v128.least(v128.subtract(v128.load(floor.get, v * 16), served), v128.load(need.get, v * 16))),
      v128.store(need.get, part.get, v * 16),
      lines.addTo(sums[v], part.get),
    )
  }
  return block(
    lines.loadKept(high, lines.HIGH),
    repeat(
      block(...lines.each(line), ...[need, floor, rest].map((own) => lines.next(own, i32.of(lines.LINE)))),
      i32.below(rest.get, end.get),
    ),
    lines.storeKept(sums, lines.SUMS),
  )
})

export const remainderRoutines = [
  floors('floorsByCurve', 'curve', false),
  floors('floorsByOne', 'one', false),
  floors('fillByCurve', 'curve', true),
  floors('fillByOne', 'one', true),
  count,
  near,
  place,
]

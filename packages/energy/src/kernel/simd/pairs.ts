import {
  buildBlock,
  buildLoop,
  defineFunction,
  doubles,
  type FunctionWriter,
  f64,
  i32,
  v128,
  type WasmCode,
  type WasmLocal,
} from './assembler.ts'
import * as lines from './memory-layout.ts'

/**
 * A producer at the steps of a band: its part of the whole as doubles, the units left to place as integers, and what
 * the current member gets of it as two doubles that sum to it.
 */
export const PRODUCER_LAYOUT = { ratio: 0, left: 128, given: 192, size: 256 }

type Halves = { low: WasmLocal<'v128'>; high: WasmLocal<'v128'> }

/** The whole part of a vector of values times the ratio of a producer, as two pairs of doubles. */
const takeWholeParts = (
  { low, high }: Halves,
  own: WasmCode<'v128'>,
  ratio: WasmCode<'i32'>,
  v: number,
): WasmCode<'none'> =>
  buildBlock(
    low.set(doubles.whole(doubles.multiply(doubles.signedLower(own), v128.load(ratio, v * 32)))),
    high.set(doubles.whole(doubles.multiply(doubles.signedUpper(own), v128.load(ratio, v * 32 + 16)))),
  )

/**
 * What a member got at four steps; an unknown value counts as zero, and so does one outside the band (`SUMS` masks
 * them).
 */
const readReceived = (row: WasmLocal<'i32'>, v: number): WasmCode<'v128'> =>
  v128.and(v128.most(v128.load(row.get, v * 16), v128.zero), v128.load(i32.of(lines.SUMS_OFFSET), v * 16))

const createHalves = (writer: FunctionWriter): Halves => ({ low: writer.local('v128'), high: writer.local('v128') })

/** Subtracts the whole parts of all members from what one producer has left to place. */
const lowerRoutine = defineFunction(
  'lower',
  ['row', 'end', 'stride', 'ratio', 'left'],
  ({ row, end, stride, ratio, left }, writer) => {
    const sums = lines.createStepRegisters(writer)
    const [own] = lines.createStepRegisters(writer)
    const parts = createHalves(writer)
    const line = (v: number): WasmCode<'none'> =>
      own && sums[v]
        ? buildBlock(
            own.set(readReceived(row, v)),
            takeWholeParts(parts, own.get, ratio.get, v),
            sums[v].set(v128.subtract(sums[v].get, doubles.integers(parts.low.get, parts.high.get))),
          )
        : []
    return buildBlock(
      ...sums.map((sum, v) => sum.set(v128.load(left.get, v * 16))),
      buildLoop(
        buildBlock(...lines.buildForEachVector(line), lines.advancePointer(row, stride.get)),
        i32.below(row.get, end.get),
      ),
      ...sums.map((sum, v) => v128.store(left.get, sum.get, v * 16)),
    )
  },
)

/**
 * Adds to the sums of each member its whole parts of every producer, then the rest of its row unit by unit: to the
 * producer with the most left to place, the first of equals first.
 */
const giveRoutine = defineFunction(
  'give',
  ['row', 'end', 'stride', 'first', 'last', 'sums', 'next'],
  ({ row, end, stride, first, last, sums, next }, writer) => {
    const rest = lines.createStepRegisters(writer)
    const most = lines.createStepRegisters(writer)
    const parts = createHalves(writer)
    const [sum, hit, count] = lines.createStepRegisters(writer)
    const [own, out] = [writer.local('i32'), writer.local('i32')]
    if (!sum || !hit || !count) throw new RangeError('no room')
    const each = (body: WasmCode<'none'>) =>
      buildBlock(
        own.set(first.get),
        buildLoop(
          buildBlock(body, lines.advancePointer(own, i32.of(PRODUCER_LAYOUT.size))),
          i32.below(own.get, last.get),
        ),
      )
    const floors = lines.buildForEachVector((v) =>
      buildBlock(
        takeWholeParts(parts, readReceived(row, v), own.get, v),
        sum.set(doubles.add(sum.get, doubles.add(parts.low.get, parts.high.get))),
        lines.countInRegister(rest[v], doubles.integers(parts.low.get, parts.high.get)),
      ),
    )
    const leftAt = (v: number) => v128.load(own.get, PRODUCER_LAYOUT.left + v * 16)
    const highest = most.map((local, v) => local.set(v128.most(local.get, leftAt(v))))
    const hits = lines.buildForEachVector((v) =>
      buildBlock(
        hit.set(
          v128.and(
            v128.greater(v128.least(rest[v]?.get ?? v128.zero, most[v]?.get ?? v128.zero), v128.zero),
            v128.equal(leftAt(v), most[v]?.get ?? v128.zero),
          ),
        ),
        v128.store(own.get, v128.add(leftAt(v), hit.get), PRODUCER_LAYOUT.left + v * 16),
        lines.addToRegister(rest[v], hit.get),
        // A producer that was served is out of this round.
        most[v]?.set(v128.or(most[v].get, hit.get)) ?? [],
        lines.countInRegister(count, hit.get),
      ),
    )
    const storeGiven = (value: WasmCode<'v128'>) => v128.store(own.get, value, PRODUCER_LAYOUT.given)
    // If margins do not agree, what no producer has left goes to the first, so that the rounds end.
    const excess = lines.buildForEachVector((v) =>
      buildBlock(
        hit.set(
          v128.and(v128.most(rest[v]?.get ?? v128.zero, v128.zero), v128.atLeast(most[v]?.get ?? v128.zero, v128.zero)),
        ),
        lines.countInRegister(rest[v], hit.get),
        sum.set(doubles.add(sum.get, doubles.add(doubles.signedLower(hit.get), doubles.signedUpper(hit.get)))),
      ),
    )
    const round = buildBlock(
      ...most.map((local) => local.set(v128.zero)),
      each(buildBlock(...highest)),
      each(
        buildBlock(
          count.set(v128.zero),
          ...hits,
          storeGiven(
            doubles.add(
              v128.load(own.get, PRODUCER_LAYOUT.given),
              doubles.add(doubles.signedLower(count.get), doubles.signedUpper(count.get)),
            ),
          ),
        ),
      ),
      own.set(first.get),
      sum.set(v128.load(own.get, PRODUCER_LAYOUT.given)),
      ...excess,
      storeGiven(sum.get),
    )
    const [a, b, c, d] = rest.map((local) => v128.greater(local.get, v128.zero))
    const any = v128.any(v128.or(v128.or(a ?? v128.zero, b ?? v128.zero), v128.or(c ?? v128.zero, d ?? v128.zero)))
    const member = buildBlock(
      ...rest.map((local, v) => local.set(readReceived(row, v))),
      each(buildBlock(sum.set(v128.zero), ...floors, storeGiven(sum.get))),
      buildLoop(round, any),
      out.set(sums.get),
      each(
        buildBlock(
          f64.store(
            out.get,
            f64.add(
              f64.load(out.get),
              f64.add(f64.load(own.get, PRODUCER_LAYOUT.given), f64.load(own.get, PRODUCER_LAYOUT.given + 8)),
            ),
          ),
          lines.advancePointer(out, next.get),
        ),
      ),
      lines.advancePointer(sums, i32.of(8)),
      lines.advancePointer(row, stride.get),
    )
    return buildLoop(member, i32.below(row.get, end.get))
  },
)

export const pairRoutines = [lowerRoutine, giveRoutine]

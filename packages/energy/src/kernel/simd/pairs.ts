import { block, type Code, define, doubles, f64, i32, type Local, repeat, v128, type Writer } from './assembler.ts'
import * as lines from './lines.ts'

/**
 * A producer at the steps of a band: its part of the whole as doubles, the units left to place as integers, and what the member
 * at work gets of it as two doubles that sum to it.
 */
export const PRODUCER = { ratio: 0, left: 128, given: 192, size: 256 }

type Halves = { low: Local<'v128'>; high: Local<'v128'> }

/** Whole parts of a vector of figures by the ratio of a producer, left in two pairs of doubles. */
const take = ({ low, high }: Halves, own: Code<'v128'>, ratio: Code<'i32'>, v: number): Code<'none'> =>
  block(
    low.set(doubles.whole(doubles.multiply(doubles.signedLower(own), v128.load(ratio, v * 32)))),
    high.set(doubles.whole(doubles.multiply(doubles.signedUpper(own), v128.load(ratio, v * 32 + 16)))),
  )

/** What a member got at four steps; a figure that is unknown is none, and so is one that is not of the band (`SUMS` says which are). */
const gotAt = (row: Local<'i32'>, v: number): Code<'v128'> =>
  v128.and(v128.most(v128.load(row.get, v * 16), v128.zero), v128.load(i32.of(lines.SUMS), v * 16))

const halves = (writer: Writer): Halves => ({ low: writer.local('v128'), high: writer.local('v128') })

/** Takes everyone's whole parts from what one producer has left to place. */
const lower = define(
  'lower',
  ['row', 'end', 'stride', 'ratio', 'left'],
  ({ row, end, stride, ratio, left }, writer) => {
    const sums = lines.kept(writer)
    const [own] = lines.kept(writer)
    const parts = halves(writer)
    const line = (v: number): Code<'none'> =>
      own && sums[v]
        ? block(
            own.set(gotAt(row, v)),
            take(parts, own.get, ratio.get, v),
            sums[v].set(v128.subtract(sums[v].get, doubles.integers(parts.low.get, parts.high.get))),
          )
        : []
    return block(
      ...sums.map((sum, v) => sum.set(v128.load(left.get, v * 16))),
      repeat(block(...lines.each(line), lines.next(row, stride.get)), i32.below(row.get, end.get)),
      ...sums.map((sum, v) => v128.store(left.get, sum.get, v * 16)),
    )
  },
)

/**
 * Adds to each member's sums its whole parts of every producer, then a unit at a time what they leave of its row: to the producer
 * that has most left to place, the first of equals.
 */
const give = define(
  'give',
  ['row', 'end', 'stride', 'first', 'last', 'sums', 'next'],
  ({ row, end, stride, first, last, sums, next }, writer) => {
    const rest = lines.kept(writer)
    const most = lines.kept(writer)
    const parts = halves(writer)
    const [sum, hit, count] = lines.kept(writer)
    const [own, out] = [writer.local('i32'), writer.local('i32')]
    if (!sum || !hit || !count) throw new RangeError('no room')
    const each = (body: Code<'none'>) =>
      block(
        own.set(first.get),
        repeat(block(body, lines.next(own, i32.of(PRODUCER.size))), i32.below(own.get, last.get)),
      )
    const floors = lines.each((v) =>
      block(
        take(parts, gotAt(row, v), own.get, v),
        sum.set(doubles.add(sum.get, doubles.add(parts.low.get, parts.high.get))),
        lines.countIn(rest[v], doubles.integers(parts.low.get, parts.high.get)),
      ),
    )
    const leftAt = (v: number) => v128.load(own.get, PRODUCER.left + v * 16)
    const highest = most.map((local, v) => local.set(v128.most(local.get, leftAt(v))))
    const hits = lines.each((v) =>
      block(
        hit.set(
          v128.and(
            v128.greater(v128.least(rest[v]?.get ?? v128.zero, most[v]?.get ?? v128.zero), v128.zero),
            v128.equal(leftAt(v), most[v]?.get ?? v128.zero),
          ),
        ),
        v128.store(own.get, v128.add(leftAt(v), hit.get), PRODUCER.left + v * 16),
        lines.addTo(rest[v], hit.get),
        // Whoever was served is out of this round.
        most[v]?.set(v128.or(most[v].get, hit.get)) ?? [],
        lines.countIn(count, hit.get),
      ),
    )
    const given = (value: Code<'v128'>) => v128.store(own.get, value, PRODUCER.given)
    // Margins that do not agree: what no producer has left goes to the first, and the rounds come to an end.
    const excess = lines.each((v) =>
      block(
        hit.set(
          v128.and(v128.most(rest[v]?.get ?? v128.zero, v128.zero), v128.atLeast(most[v]?.get ?? v128.zero, v128.zero)),
        ),
        lines.countIn(rest[v], hit.get),
        sum.set(doubles.add(sum.get, doubles.add(doubles.signedLower(hit.get), doubles.signedUpper(hit.get)))),
      ),
    )
    const round = block(
      ...most.map((local) => local.set(v128.zero)),
      each(block(...highest)),
      each(
        block(
          count.set(v128.zero),
          ...hits,
          given(
            doubles.add(
              v128.load(own.get, PRODUCER.given),
              doubles.add(doubles.signedLower(count.get), doubles.signedUpper(count.get)),
            ),
          ),
        ),
      ),
      own.set(first.get),
      sum.set(v128.load(own.get, PRODUCER.given)),
      ...excess,
      given(sum.get),
    )
    const [a, b, c, d] = rest.map((local) => v128.greater(local.get, v128.zero))
    const any = v128.any(v128.or(v128.or(a ?? v128.zero, b ?? v128.zero), v128.or(c ?? v128.zero, d ?? v128.zero)))
    const member = block(
      ...rest.map((local, v) => local.set(gotAt(row, v))),
      each(block(sum.set(v128.zero), ...floors, given(sum.get))),
      repeat(round, any),
      out.set(sums.get),
      each(
        block(
          f64.store(
            out.get,
            f64.add(
              f64.load(out.get),
              f64.add(f64.load(own.get, PRODUCER.given), f64.load(own.get, PRODUCER.given + 8)),
            ),
          ),
          lines.next(out, next.get),
        ),
      ),
      lines.next(sums, i32.of(8)),
      lines.next(row, stride.get),
    )
    return repeat(member, i32.below(row.get, end.get))
  },
)

export const pairRoutines = [lower, give]

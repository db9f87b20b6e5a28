import { TILE_STEPS } from '../division.ts'
import {
  buildBlock,
  buildIf,
  buildLoop,
  defineFunction,
  doubles,
  i32,
  lowerMask,
  lowHalves,
  upperMask,
  v128,
  type WasmCode,
} from './assembler.ts'
import * as lines from './memory-layout.ts'

/** A row of a tile, and one more line after it. */
export const ROW_BYTES = (TILE_STEPS + lines.BAND_STEPS) * Int32Array.BYTES_PER_ELEMENT
/** Remainders of a producer at four steps, as doubles. */
export const REMAINDER_BYTES = 32

/**
 * What one consumer was given beyond its need goes back to its producers, four steps at a time: each keeps its part of
 * the need, by largest remainder, the first of equals served first. Values are below 2^26, so that products are exact.
 * Leaves what the consumer keeps in total in `allocated`, and adds what it keeps of each producer to the row after that
 * of the producer.
 */
const capRoutine = defineFunction(
  'cap',
  ['first', 'last', 'stride', 'need', 'allocated', 'end', 'scratch'],
  ({ first, last, stride, need, allocated, end, scratch }, writer) => {
    const [row, place] = [writer.local('i32'), writer.local('i32')]
    const [sum, own, over, limit] = lines.createStepRegisters(writer)
    const [sumLow, sumHigh, low, high] = lines.createStepRegisters(writer)
    const [mostLow, mostHigh, rest, hit] = lines.createStepRegisters(writer)
    if (!sum || !own || !over || !limit || !rest || !hit) throw new RangeError('no room')
    if (!sumLow || !sumHigh || !low || !high || !mostLow || !mostHigh) throw new RangeError('no room')
    const each = (body: WasmCode<'none'>) =>
      buildBlock(
        row.set(first.get),
        place.set(scratch.get),
        buildLoop(
          buildBlock(body, lines.advancePointer(row, stride.get), lines.advancePointer(place, i32.of(REMAINDER_BYTES))),
          i32.below(row.get, last.get),
        ),
      )
    const product = (half: 'signedLower' | 'signedUpper') =>
      doubles.multiply(doubles[half](own.get), doubles[half](limit.get))
    const keep = buildBlock(
      own.set(v128.load(row.get)),
      low.set(doubles.floor(doubles.divide(product('signedLower'), sumLow.get))),
      high.set(doubles.floor(doubles.divide(product('signedUpper'), sumHigh.get))),
      v128.store(place.get, doubles.subtract(product('signedLower'), doubles.multiply(low.get, sumLow.get))),
      v128.store(place.get, doubles.subtract(product('signedUpper'), doubles.multiply(high.get, sumHigh.get)), 16),
      hit.set(v128.and(doubles.integers(low.get, high.get), over.get)),
      lines.countInRegister(rest, hit.get),
      v128.store(row.get, v128.or(hit.get, v128.andNot(own.get, over.get))),
    )
    const isMost = v128.and(
      lowHalves(
        doubles.equal(v128.load(place.get), mostLow.get),
        doubles.equal(v128.load(place.get, 16), mostHigh.get),
      ),
      v128.greater(rest.get, v128.zero),
    )
    // `sum` now holds who was served in this round, so that only the first of equals is served before the next round.
    const serve = buildBlock(
      hit.set(v128.andNot(isMost, sum.get)),
      sum.set(v128.or(sum.get, hit.get)),
      v128.store(row.get, v128.subtract(v128.load(row.get), hit.get)),
      v128.store(place.get, doubles.subtract(v128.load(place.get), v128.and(lowerMask(hit.get), sumLow.get))),
      v128.store(place.get, doubles.subtract(v128.load(place.get, 16), v128.and(upperMask(hit.get), sumHigh.get)), 16),
    )
    const round = buildBlock(
      mostLow.set(v128.load(scratch.get)),
      mostHigh.set(v128.load(scratch.get, 16)),
      each(
        buildBlock(
          mostLow.set(doubles.most(mostLow.get, v128.load(place.get))),
          mostHigh.set(doubles.most(mostHigh.get, v128.load(place.get, 16))),
        ),
      ),
      sum.set(v128.zero),
      each(serve),
      lines.addToRegister(rest, sum.get),
    )
    return buildLoop(
      buildBlock(
        limit.set(v128.load(need.get)),
        sum.set(v128.zero),
        each(lines.addToRegister(sum, v128.load(row.get))),
        over.set(v128.greater(sum.get, limit.get)),
        v128.store(allocated.get, v128.least(sum.get, limit.get)),
        buildIf(
          v128.any(over.get),
          buildBlock(
            sumLow.set(doubles.signedLower(sum.get)),
            sumHigh.set(doubles.signedUpper(sum.get)),
            rest.set(v128.and(limit.get, over.get)),
            each(keep),
            buildLoop(round, v128.any(v128.greater(rest.get, v128.zero))),
          ),
        ),
        each(v128.store(row.get, v128.add(v128.load(row.get, ROW_BYTES), v128.load(row.get)), ROW_BYTES)),
        lines.advancePointer(first, i32.of(16)),
        lines.advancePointer(last, i32.of(16)),
        lines.advancePointer(need, i32.of(16)),
        lines.advancePointer(allocated, i32.of(16)),
      ),
      i32.below(need.get, end.get),
    )
  },
)

export const capRoutines = [capRoutine]

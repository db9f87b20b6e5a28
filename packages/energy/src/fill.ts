import { type Frame, needLane, weightLane } from './frame.ts'
import { createLevel, EVERYONE_FULL, findLevel } from './level.ts'
import { type Shares, spread } from './spread.ts'

/**
 * Weighted water-filling: everyone rises with the same level per unit of weight, and who is full leaves the rest to the others.
 * `potOf` tells how much of the pool is to be shared at most.
 */
export function divideByLevel(frame: Frame, given: number[], potOf: (pool: number) => number, shares: Shares): void {
  const list = frame.consumers.map((_, member) => member).filter((member) => (given[member] ?? 0) > 0)
  const { division, length } = frame
  const level = createLevel(frame, list, given)
  for (let at = 0; at < length; at++) level.pot[at] = potOf(frame.pool[at] ?? 0)
  division.length = length
  division.bound = 'fill'
  findLevel(frame, level)
  if (given.every((weight) => weight === 1)) fillEqually(frame, list, shares)
  else spread(division, list, (member) => weightLane(frame, member, given[member] ?? 0, 0), shares)
  frame.handed.set(division.quota.subarray(0, length))
}

/** Equal weights have equal remainders: the units left go to the first who are not full. Without branches nobody could guess. */
function fillEqually(frame: Frame, list: number[], { outs, outAt }: Shares): void {
  const { length, division } = frame
  const { lit } = division
  const level = new Int32Array(length)
  const units = new Int32Array(length)
  for (let at = 0; at < length; at++) {
    const [n, d] = [division.numerator[at] ?? 0, division.denominator[at] ?? 1]
    level[at] = Math.min(Math.floor(n / d), EVERYONE_FULL - 1)
    units[at] = n === EVERYONE_FULL ? 0 : n % d
  }
  for (const member of list) {
    // Who is not in the operation needs nothing, and so is full.
    const { need, needAt } = needLane(frame, member)
    const out = outs[member]
    for (let k = 0; out && k < lit.length; k++) {
      const at = lit[k] ?? 0
      const c = need[needAt + at] ?? 0
      const l = level[at] ?? 0
      const full = (c - l - 1) >> 31
      const unit = ~full & (-(units[at] ?? 0) >>> 31)
      units[at] = (units[at] ?? 0) - unit
      out[outAt + at] = (c & full) | ((l + unit) & ~full)
    }
  }
}

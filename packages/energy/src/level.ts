import { type Frame, weightLane } from './frame.ts'

export const EVERYONE_FULL = 2 ** 31
/** One member in so many tells about where the level will be; below so many members it is not worth asking. */
const SAMPLE = 6
const WORTH_SAMPLING = 128
/** How far the sample may be off, and how far a double may. */
const SPAN = 0.2
const ERROR = 1e-12

/** A water level for each step of a tile: how much there is to share, among which weights, for which needs. */
export type Level = {
  list: number[]
  given: number[]
  pot: Float64Array
  weights: Float64Array
  needs: Float64Array
  fullNeed: Float64Array
  fullWeight: Float64Array
}

const laneOf = (frame: Frame, { given }: Level, member: number) => weightLane(frame, member, given[member] ?? 0, 0)

export function createLevel(frame: Frame, list: number[], given: number[]): Level {
  const doubles = () => new Float64Array(frame.length)
  const sums = { pot: doubles(), weights: doubles(), needs: doubles(), fullNeed: doubles(), fullWeight: doubles() }
  const level = { list, given, ...sums }
  const everyone = frame.always.every(Boolean)
  if (everyone) sums.weights.fill(list.reduce((sum, member) => sum + (given[member] ?? 0), 0))
  if (everyone && list.length === frame.consumers.length && !frame.anyClosed) sums.needs.set(frame.total)
  else
    for (const member of list) {
      const { need, needAt, weight, weightAt, pace } = laneOf(frame, level, member)
      for (let at = 0; at < frame.length; at++) {
        sums.needs[at] = (sums.needs[at] ?? 0) + (need[needAt + at] ?? 0)
        if (!everyone) sums.weights[at] = (sums.weights[at] ?? 0) + (weight[weightAt + at * pace] ?? 0)
      }
    }
  return level
}

/**
 * Leaves the level of each step in the division, as numerator / denominator: everyone whose need is at most weight × level is
 * full, and the others share the rest by weight.
 */
export function findLevel(frame: Frame, level: Level): void {
  const { division, length } = frame
  const { pot, weights, needs } = level
  for (let at = 0; at < length; at++) {
    const enough = (pot[at] ?? 0) >= (needs[at] ?? 0)
    division.numerator[at] = enough ? EVERYONE_FULL : (pot[at] ?? 0)
    division.denominator[at] = enough ? 1 : (weights[at] ?? 0)
    division.quota[at] = enough ? (needs[at] ?? 0) : (pot[at] ?? 0)
  }
  let open: Int32Array = Int32Array.from({ length }, (_, at) => at).filter((at) => (pot[at] ?? 0) < (needs[at] ?? 0))
  if (level.list.length >= WORTH_SAMPLING && open.length > 0) open = solveNear(frame, level, open)
  while (open.length > 0) {
    addFull(frame, level, level.list, open)
    open = open.filter((at) => raise(frame, level, at))
  }
}

/** Sums needs and weights of those who are full at the present level; all figures have 31 bits, and weights 20: exact. */
function addFull(frame: Frame, level: Level, some: number[], open: Int32Array): void {
  const { numerator, denominator } = frame.division
  const { fullNeed, fullWeight } = level
  fullNeed.fill(0)
  fullWeight.fill(0)
  for (const member of some) {
    const { need, needAt, weight, weightAt, pace } = laneOf(frame, level, member)
    for (let k = 0; k < open.length; k++) {
      const at = open[k] ?? 0
      const c = need[needAt + at] ?? 0
      const w = weight[weightAt + at * pace] ?? 0
      if (c * (denominator[at] ?? 1) > w * (numerator[at] ?? 0)) continue
      fullNeed[at] = (fullNeed[at] ?? 0) + c
      fullWeight[at] = (fullWeight[at] ?? 0) + w
    }
  }
}

/**
 * Takes those who are full out of the division; true when that raised the level. From below it only rises, so that nobody
 * ever comes back: it ends where nobody new is full.
 */
function raise({ division }: Frame, { pot, weights, fullNeed, fullWeight }: Level, at: number): boolean {
  const rest = (weights[at] ?? 0) - (fullWeight[at] ?? 0)
  if (rest === division.denominator[at]) return false
  division.denominator[at] = rest
  division.numerator[at] = (pot[at] ?? 0) - (fullNeed[at] ?? 0)
  return true
}

/** What a sample says of the level: a share of the pot among a share of the weights, taken step by step. */
function sampleLevel(frame: Frame, { list, given, pot, weights }: Level, open: Int32Array): Float64Array {
  const sample = list.filter((_, order) => order % SAMPLE === 0)
  const near = new Float64Array(frame.length)
  const whole = sample.reduce((sum, member) => sum + (given[member] ?? 0), 0)
  const [needs, own] = [new Float64Array(sample.length), Float64Array.from(sample, (member) => given[member] ?? 0)]
  for (const at of open) {
    for (let k = 0; k < sample.length; k++) needs[k] = frame.consumers[sample[k] ?? 0]?.values[frame.start + at] ?? 0
    near[at] = settleLevel(needs, own, ((pot[at] ?? 0) * whole) / (weights[at] ?? 1), whole)
  }
  return near
}

function settleLevel(needs: Float64Array, weights: Float64Array, pot: number, whole: number): number {
  let level = pot / whole
  for (;;) {
    let [left, rest] = [pot, whole]
    for (let k = 0; k < needs.length; k++) {
      const [c, w] = [needs[k] ?? 0, weights[k] ?? 0]
      if (c > w * level) continue
      left -= c
      rest -= w
    }
    if (rest <= 0 || left <= 0 || !(left / rest > level)) return level
    level = left / rest
  }
}

/** Those whose fate the sample leaves open, by step: their needs and weights. */
type Doubtful = { count: Int32Array; needs: Int32Array; weights: Int32Array; most: number }

/** Solves each step among the few who fill up near the sampled level; returns the steps where it was too far off. */
function solveNear(frame: Frame, level: Level, open: Int32Array): Int32Array {
  const { length, division } = frame
  const near = sampleLevel(frame, level, open)
  const heaviest = level.list.reduce((most, member) => Math.max(most, level.given[member] ?? 0), 0)
  // A limit has to stay within 31 bits; where it does not, nobody is sorted and the step is solved the long way.
  const low = near.map((value) => (value * (1 + SPAN) * heaviest < EVERYONE_FULL ? value * (1 - SPAN) : 0))
  const high = low.map((value) => (value * (1 + SPAN)) / (1 - SPAN))
  const most = level.list.length
  const room = () => new Int32Array(length * most)
  const doubtful = { count: new Int32Array(length), needs: room(), weights: room(), most }
  level.fullNeed.fill(0)
  level.fullWeight.fill(0)
  for (const member of level.list) sortOut(frame, level, member, low, high, doubtful)
  return open.filter((at) => {
    const solved = solve(frame, level, at, doubtful)
    const value = (division.numerator[at] ?? 0) / (division.denominator[at] ?? 1)
    if (solved && value > (low[at] ?? 0) * (1 + ERROR) && value < (high[at] ?? 0) * (1 - ERROR)) return false
    division.numerator[at] = level.pot[at] ?? 0
    division.denominator[at] = level.weights[at] ?? 0
    return true
  })
}

function sortOut(
  frame: Frame,
  level: Level,
  member: number,
  low: Float64Array,
  high: Float64Array,
  doubtful: Doubtful,
) {
  const { need, needAt, weight, weightAt, pace } = laneOf(frame, level, member)
  const { fullNeed, fullWeight } = level
  const { count, needs, weights, most } = doubtful
  const { lit } = frame.division
  for (let k = 0; k < lit.length; k++) {
    const at = lit[k] ?? 0
    const c = need[needAt + at] ?? 0
    const w = weight[weightAt + at * pace] ?? 0
    const sure = (c - ((w * (low[at] ?? 0)) | 0) - 1) >> 31
    fullNeed[at] = (fullNeed[at] ?? 0) + (c & sure)
    fullWeight[at] = (fullWeight[at] ?? 0) + (w & sure)
    if (sure !== 0 || c > w * (high[at] ?? 0)) continue
    const slot = at * most + (count[at] ?? 0)
    needs[slot] = c
    weights[slot] = w
    count[at] = (count[at] ?? 0) + 1
  }
}

/** The exact level if the sample sorted the others right. */
function solve({ division }: Frame, level: Level, at: number, { count, needs, weights, most }: Doubtful): boolean {
  let denominator = (level.weights[at] ?? 0) - (level.fullWeight[at] ?? 0)
  let numerator = (level.pot[at] ?? 0) - (level.fullNeed[at] ?? 0)
  const first = at * most
  for (;;) {
    if (denominator <= 0 || numerator <= 0) return false
    let rest = (level.weights[at] ?? 0) - (level.fullWeight[at] ?? 0)
    let left = (level.pot[at] ?? 0) - (level.fullNeed[at] ?? 0)
    for (let slot = first; slot < first + (count[at] ?? 0); slot++) {
      const [c, w] = [needs[slot] ?? 0, weights[slot] ?? 0]
      if (c * denominator > w * numerator) continue
      rest -= w
      left -= c
    }
    if (rest === denominator) break
    denominator = rest
    numerator = left
  }
  division.denominator[at] = denominator
  division.numerator[at] = numerator
  return true
}

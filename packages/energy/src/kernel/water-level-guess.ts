import { LANES, type Quad, takeLanes } from './lanes.ts'
import type { Tile } from './tile.ts'
import { ERROR, HALF_PART, isFull, isSmall } from './water-level-full.ts'
import type { Level } from './water-level-state.ts'

/** One member in so many tells about where the level will be; below so many members it is not worth asking. */
const SAMPLE = 12
const WORTH_SAMPLING = 128
/** How often a sample is asked again: nearer to its own level it says no more about everyone's. */
const TURNS = 2
/** Who fills up within this part of the level, above it and below a guess, is noted. */
export const SPAN = 0.03

/** Starts from a level that a sample tells and that everyone together corrects once. */
export function guessLevel(tile: Tile, level: Level, open: Int32Array): void {
  if (level.list.length < WORTH_SAMPLING || open.length === 0) return
  const { division } = tile
  const { list, laneOf, pot, weights, near } = level
  const { quad, ratio } = division.work
  const slope = sampleLevel(tile, level, open)
  const parts = new Float64Array(tile.length)
  for (let first = 0; first < list.length; first += LANES) {
    takeLanes(quad, list, first, laneOf)
    addParts(quad, level.given, ratio, parts, open)
  }
  for (const at of open) {
    const own = (ratio[at] ?? 0) + ((pot[at] ?? 0) - (parts[at] ?? 0)) / ((slope[at] ?? 1) * weights)
    const guess = Math.max(own, (pot[at] ?? 0) / weights)
    division.numerator[at] = guess * (1 - SPAN)
    division.denominator[at] = 1
    // Compared by doubles a need may have passed for full by a part of a unit.
    near.low[at] = guess * (1 - SPAN) * (1 + ERROR) + 2 * HALF_PART
    near.reach[at] = isSmall(level, at) ? guess * (1 + SPAN) : 0
  }
}

/** What everyone gets together at a level, about. */
function addParts(
  { a, b, c, d }: Quad,
  given: number[],
  ratio: Float64Array,
  parts: Float64Array,
  open: Int32Array,
): void {
  const { need: na, needAt: ja } = a
  const { need: nb, needAt: jb } = b
  const { need: nc, needAt: jc } = c
  const { need: nd, needAt: jd } = d
  const ka = given[a.member] ?? 0
  const kb = given[b.member] ?? 0
  const kc = given[c.member] ?? 0
  const kd = given[d.member] ?? 0
  for (let k = 0; k < open.length; k++) {
    const at = open[k] ?? 0
    const each = ratio[at] ?? 0
    const pa = Math.min(ka * each, na[ja + at] ?? 0)
    const pb = Math.min(kb * each, nb[jb + at] ?? 0)
    const pc = Math.min(kc * each, nc[jc + at] ?? 0)
    const pd = Math.min(kd * each, nd[jd + at] ?? 0)
    parts[at] = (parts[at] ?? 0) + (pa + pb + pc + pd)
  }
}

/** Leaves in `ratio` what a sample says of the level; returns the part of the weights that would rise further. */
function sampleLevel({ division, consumers, start, length }: Tile, level: Level, open: Int32Array): Float64Array {
  const { list, given, pot, weights } = level
  const slope = new Float64Array(length)
  const sample = list.filter((_, order) => order % SAMPLE === 0)
  const curves = sample.map((member) => consumers[member]?.values ?? new Int32Array(0))
  const own = Int32Array.from(sample, (member) => given[member] ?? 0)
  const whole = own.reduce((sum, weight) => sum + weight, 0)
  const needs = new Int32Array(sample.length)
  for (const at of open) {
    for (let k = 0; k < curves.length; k++) needs[k] = curves[k]?.[start + at] ?? 0
    const [value, rest] = settleLevel(needs, own, ((pot[at] ?? 0) * whole) / weights, whole)
    division.work.ratio[at] = value
    slope[at] = rest / whole
  }
  return slope
}

/** A level, and the weights of those who are not full at it. */
function settleLevel(needs: Int32Array, weights: Int32Array, pot: number, whole: number): [number, number] {
  let level = pot / whole
  let open = whole
  for (let turn = 0; turn < TURNS; turn++) {
    let left = pot
    let rest = whole
    for (let k = 0; k < needs.length; k++) {
      const need = needs[k] ?? 0
      const weight = weights[k] ?? 0
      const full = isFull(need, weight * level)
      left -= need & full
      rest -= weight & full
    }
    if (rest <= 0 || left <= 0) break
    open = rest
    level = left / rest
  }
  return [level, open]
}

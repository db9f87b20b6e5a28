import { type Bins, getCutValue, MAX_BINS } from './bins.ts'
import { computeHistogram, HISTOGRAM_WIDTH, type HistogramRows } from './histogram.ts'

/** Nodes in order, the root first. `feature` −1 is a leaf whose value is `at`; else `at` is the cut and `left` the first of two children. */
export type RegressionTree = { feature: number[]; at: number[]; left: number[] }

/** A tree, and each leaf as a range of the rows it was grown on and a range of the other rows. */
export type GrownTree = { tree: RegressionTree; leaves: LeafRange[] }
type LeafRange = { node: number; from: number; to: number; otherFrom: number; otherTo: number }
export type GrowTreeInput = HistogramRows & { bins: Bins; leaves: number; least: number }

type Split = { gain: number; feature: number; code: number }
type Leaf = LeafRange & { histogram: Float64Array; split: Split }

function findBestSplit(growth: GrowTreeInput, histogram: Float64Array, count: number): Split {
  const best: Split = { gain: 1e-9, feature: -1, code: 0 }
  let total = 0
  for (let code = 0; code < MAX_BINS; code++) total += histogram[code * 2] as number // every column sums to the same
  const whole = (total * total) / count
  for (let order = 0; order < growth.columns.length; order++) {
    const column = growth.columns[order] ?? 0
    const found = findBestCode(
      histogram,
      order * HISTOGRAM_WIDTH,
      growth.bins.cuts[column]?.length ?? 0,
      total,
      count,
      growth.least,
    )
    if (found.gain - whole <= best.gain) continue
    best.gain = found.gain - whole
    best.feature = column
    best.code = found.code
  }
  return best
}

/** The code of one column after which a cut gains the most. */
function findBestCode(
  histogram: Float64Array,
  base: number,
  cuts: number,
  total: number,
  count: number,
  least: number,
) {
  let [sum, n, gain, best] = [0, 0, 0, 0]
  for (let code = 0; code <= cuts; code++) {
    sum += histogram[base + code * 2] as number // within bounds: many bins pass here
    n += histogram[base + code * 2 + 1] as number
    if (n < least) continue
    if (count - n < least) break
    const rest = total - sum
    const own = (sum * sum) / n + (rest * rest) / (count - n)
    if (own > gain) {
      gain = own
      best = code
    }
  }
  return { gain, code: best }
}

/** Buffer for the rows being moved, reused from one split to the next. */
let rightRows = new Int32Array(0)

/**
 * Puts the rows that go left first, in their order; returns where the others begin. Without a branch: half of them
 * would be mispredicted.
 */
function partition(codes: Uint8Array, code: number, rows: Int32Array, from: number, to: number): number {
  if (rightRows.length < to - from) rightRows = new Int32Array(to - from)
  const right = rightRows
  let place = from
  let others = 0
  for (let i = from; i < to; i++) {
    const row = rows[i] as number // within bounds
    const isRight = (code - (codes[row] as number)) >>> 31
    rows[place] = row
    right[others] = row
    place += 1 - isRight
    others += isRight
  }
  rows.set(right.subarray(0, others), place)
  return place
}

/** Histograms that no leaf needs any more, to be reused. */
const freeHistograms: Float64Array[] = []

function takeHistogram(columns: number): Float64Array {
  const length = columns * HISTOGRAM_WIDTH
  for (let room = freeHistograms.pop(); room; room = freeHistograms.pop()) if (room.length === length) return room
  return new Float64Array(length)
}

/**
 * Splits the leaf that gains the most until there are enough; `leafValue` computes the value of a leaf from its rows.
 * The rows of `others` have no influence and are only led to their leaves. Both are sorted by leaf.
 */
export function growTree(
  growth: GrowTreeInput,
  rows: Int32Array,
  others: Int32Array,
  leafValue: (rows: Int32Array) => number,
): GrownTree {
  const tree: RegressionTree = { feature: [-1], at: [0], left: [0] }
  const counted = ({ from, to }: LeafRange) =>
    computeHistogram(growth, rows.subarray(from, to), takeHistogram(growth.columns.length))
  const leafOf = (own: LeafRange, histogram: Float64Array): Leaf => {
    return { ...own, histogram, split: findBestSplit(growth, histogram, own.to - own.from) }
  }
  const root = { node: 0, from: 0, to: rows.length, otherFrom: 0, otherTo: others.length }
  const leaves = [leafOf(root, counted(root))]
  while (leaves.length < growth.leaves) {
    const best = leaves.reduce((a, b) => (b.split.gain > a.split.gain ? b : a))
    if (best.split.feature < 0) break
    const [left, right] = splitLeaf(growth, tree, rows, others, best)
    const { histogram, split } = best
    // After the last split, no further cut is searched for its two leaves.
    const last = leaves.length + 1 === growth.leaves
    const two = last
      ? [
          { ...left, histogram, split },
          { ...right, histogram: EMPTY_HISTOGRAM, split },
        ]
      : buildChildLeaves(left, right, histogram, counted, leafOf)
    leaves.splice(leaves.indexOf(best), 1, ...two)
  }
  for (const { node, from, to, histogram } of leaves) {
    tree.at[node] = leafValue(rows.subarray(from, to))
    freeHistograms.push(histogram)
  }
  return { tree, leaves }
}

const EMPTY_HISTOGRAM = new Float64Array(0)

/** The histogram of the smaller side is counted, the other is the difference with the whole. */
function buildChildLeaves(
  left: LeafRange,
  right: LeafRange,
  whole: Float64Array,
  counted: (own: LeafRange) => Float64Array,
  leafOf: (own: LeafRange, histogram: Float64Array) => Leaf,
): Leaf[] {
  const leftIsSmall = left.to - left.from < right.to - right.from
  const small = counted(leftIsSmall ? left : right)
  for (let i = 0; i < whole.length; i++) (whole[i] as number) -= small[i] as number
  return leftIsSmall ? [leafOf(left, small), leafOf(right, whole)] : [leafOf(left, whole), leafOf(right, small)]
}

function splitLeaf(
  { bins }: GrowTreeInput,
  tree: RegressionTree,
  rows: Int32Array,
  others: Int32Array,
  { node, from, to, otherFrom, otherTo, split: { feature, code } }: Leaf,
): [LeafRange, LeafRange] {
  const codes = bins.codes[feature] ?? new Uint8Array(0)
  const middle = partition(codes, code, rows, from, to)
  const otherMiddle = partition(codes, code, others, otherFrom, otherTo)
  const left = tree.feature.length
  tree.feature.push(-1, -1)
  tree.at.push(0, 0)
  tree.left.push(0, 0)
  tree.feature[node] = feature
  tree.at[node] = getCutValue(bins, feature, code)
  tree.left[node] = left
  return [
    { node: left, from, to: middle, otherFrom, otherTo: otherMiddle },
    { node: left + 1, from: middle, to, otherFrom: otherMiddle, otherTo },
  ]
}

/** A missing value goes left. */
export function evaluateTree({ feature, at, left }: RegressionTree, row: ArrayLike<number>): number {
  let node = 0
  for (let column = feature[0] as number; column >= 0; column = feature[node] as number)
    node = (left[node] as number) + ((row[column] as number) > (at[node] as number) ? 1 : 0) // NaN is above nothing
  return at[node] as number
}

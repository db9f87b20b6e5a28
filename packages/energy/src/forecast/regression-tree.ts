/** Columns cut into at most 48 bins of equal count; bin 0 is for missing values. */
export type Bins = { cuts: number[][]; codes: Uint8Array[] }

export const MAX_BINS = 48
/** A cut below every value: it separates missing values from the rest. */
const HOLES_ONLY = -1e300

const roundToSixDigits = (value: number) => Number(value.toPrecision(6))

/** The known values of a column, sorted. */
function sortKnown(column: Float64Array): Float64Array {
  const known = new Float64Array(column.length)
  let count = 0
  for (let row = 0; row < column.length; row++) {
    const value = column[row] as number // within bounds
    known[count] = value
    if (!Number.isNaN(value)) count++
  }
  return known.subarray(0, count).sort()
}

function computeCuts(column: Float64Array): number[] {
  const known = sortKnown(column)
  const cuts: number[] = []
  for (let bin = 1; bin < MAX_BINS - 1; bin++) {
    const cut = known[Math.floor((bin * known.length) / (MAX_BINS - 1))]
    if (cut === undefined) continue
    const rounded = roundToSixDigits(cut)
    if (cuts.length === 0 || rounded > (cuts.at(-1) ?? 0)) cuts.push(rounded)
  }
  return cuts
}

/** 0 for a missing value, else one more than the number of cuts below the value. */
function getBinCode(cuts: number[], value: number): number {
  if (Number.isNaN(value)) return 0
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (value > (cuts[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low + 1
}

function getBinCodes(cuts: number[], column: Float64Array): Uint8Array {
  const codes = new Uint8Array(column.length)
  for (let row = 0; row < column.length; row++) codes[row] = getBinCode(cuts, column[row] as number) // within bounds
  return codes
}

/** Cuts come from the first `learnt` rows; the other rows are put into the same bins. */
export function buildBins(features: number[][], learnt = features.length): Bins {
  const width = features[0]?.length ?? 0
  const columns = Array.from({ length: width }, () => new Float64Array(features.length))
  for (let row = 0; row < features.length; row++) {
    const own = features[row] as number[] // within bounds; plain loops, because every fold passes all rows here
    for (let i = 0; i < width; i++) (columns[i] as Float64Array)[row] = own[i] ?? Number.NaN
  }
  const cuts = columns.map((column) => computeCuts(column.subarray(0, learnt)))
  const codes = columns.map((column, i) => getBinCodes(cuts[i] ?? [], column))
  return { cuts, codes }
}

/** The value up to which rows with at most this code go left. */
const getCutValue = ({ cuts }: Bins, feature: number, code: number): number =>
  code === 0 ? HOLES_ONLY : (cuts[feature]?.[code - 1] ?? Number.MAX_VALUE)

/** Layout of one column: per bin the sum of gradients, then the count. */
const HISTOGRAM_WIDTH = MAX_BINS * 2

type HistogramRows = { bins: Pick<Bins, 'codes'>; gradient: Float64Array; columns: number[] }

/** Buffer for the gradients of the rows, reused from one histogram to the next. */
let gradientBuffer = new Float64Array(0)

/**
 * Sum of gradients and count, per column and bin, written over `histogram`. Rows are added in their order, so that a
 * sum is the same to the bit however many columns are handled at once.
 */
export function computeHistogram(
  { bins, gradient, columns }: HistogramRows,
  rows: Int32Array,
  histogram: Float64Array = new Float64Array(columns.length * HISTOGRAM_WIDTH),
): Float64Array {
  if (gradientBuffer.length < rows.length) gradientBuffer = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) gradientBuffer[i] = gradient[rows[i] as number] as number // once for all columns
  histogram.fill(0)
  const codes = columns.map((column) => bins.codes[column] ?? new Uint8Array(0))
  let order = 0
  for (; order + 7 < codes.length; order += 8)
    addEight(histogram, order * HISTOGRAM_WIDTH, rows, codes.slice(order, order + 8))
  for (; order + 3 < codes.length; order += 4)
    addFour(histogram, order * HISTOGRAM_WIDTH, rows, codes.slice(order, order + 4))
  for (; order < codes.length; order++) addOne(histogram, order * HISTOGRAM_WIDTH, rows, codes[order] as Uint8Array)
  return histogram
}

function addOne(sums: Float64Array, base: number, rows: Int32Array, codes: Uint8Array): void {
  const gradients = gradientBuffer
  for (let i = 0; i < rows.length; i++) {
    const place = base + (codes[rows[i] as number] as number) * 2 // within bounds
    ;(sums[place] as number) += gradients[i] as number
    ;(sums[place + 1] as number)++
  }
}

type FourColumns = [Uint8Array, Uint8Array, Uint8Array, Uint8Array]

function addFour(sums: Float64Array, base: number, rows: Int32Array, codes: Uint8Array[]): void {
  const [a, b, c, d] = codes as FourColumns // four are given
  const gradients = gradientBuffer
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number // within bounds, as all below
    const gradient = gradients[i] as number
    const inA = base + (a[row] as number) * 2
    const inB = base + HISTOGRAM_WIDTH + (b[row] as number) * 2
    const inC = base + 2 * HISTOGRAM_WIDTH + (c[row] as number) * 2
    const inD = base + 3 * HISTOGRAM_WIDTH + (d[row] as number) * 2
    ;(sums[inA] as number) += gradient
    ;(sums[inA + 1] as number)++
    ;(sums[inB] as number) += gradient
    ;(sums[inB + 1] as number)++
    ;(sums[inC] as number) += gradient
    ;(sums[inC + 1] as number)++
    ;(sums[inD] as number) += gradient
    ;(sums[inD + 1] as number)++
  }
}

/**
 * This loop takes most of the time: a row and its gradient are read once for eight columns, whose sums do not depend on
 * one another.
 */
function addEight(sums: Float64Array, base: number, rows: Int32Array, codes: Uint8Array[]): void {
  const [a, b, c, d, e, f, g, h] = codes as [...FourColumns, ...FourColumns] // eight are given
  const gradients = gradientBuffer
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number // within bounds, as all below
    const gradient = gradients[i] as number
    const inA = base + (a[row] as number) * 2
    const inB = base + HISTOGRAM_WIDTH + (b[row] as number) * 2
    const inC = base + 2 * HISTOGRAM_WIDTH + (c[row] as number) * 2
    const inD = base + 3 * HISTOGRAM_WIDTH + (d[row] as number) * 2
    const inE = base + 4 * HISTOGRAM_WIDTH + (e[row] as number) * 2
    const inF = base + 5 * HISTOGRAM_WIDTH + (f[row] as number) * 2
    const inG = base + 6 * HISTOGRAM_WIDTH + (g[row] as number) * 2
    const inH = base + 7 * HISTOGRAM_WIDTH + (h[row] as number) * 2
    ;(sums[inA] as number) += gradient
    ;(sums[inA + 1] as number)++
    ;(sums[inB] as number) += gradient
    ;(sums[inB + 1] as number)++
    ;(sums[inC] as number) += gradient
    ;(sums[inC + 1] as number)++
    ;(sums[inD] as number) += gradient
    ;(sums[inD + 1] as number)++
    ;(sums[inE] as number) += gradient
    ;(sums[inE + 1] as number)++
    ;(sums[inF] as number) += gradient
    ;(sums[inF + 1] as number)++
    ;(sums[inG] as number) += gradient
    ;(sums[inG + 1] as number)++
    ;(sums[inH] as number) += gradient
    ;(sums[inH + 1] as number)++
  }
}

/** Nodes in order, the root first. `feature` −1 is a leaf whose value is `at`; else `at` is the cut and `left` the first of two children. */
export type RegressionTree = { feature: number[]; at: number[]; left: number[] }

/** A tree, and each leaf as a range of the rows it was grown on and a range of the other rows. */
type GrownTree = { tree: RegressionTree; leaves: LeafRange[] }
type LeafRange = { node: number; from: number; to: number; otherFrom: number; otherTo: number }
type GrowTreeInput = HistogramRows & { bins: Bins; leaves: number; least: number }

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
  const buildLeafHistogram = ({ from, to }: LeafRange) =>
    computeHistogram(growth, rows.subarray(from, to), takeHistogram(growth.columns.length))
  const leafOf = (own: LeafRange, histogram: Float64Array): Leaf => {
    return { ...own, histogram, split: findBestSplit(growth, histogram, own.to - own.from) }
  }
  const root = { node: 0, from: 0, to: rows.length, otherFrom: 0, otherTo: others.length }
  const leaves = [leafOf(root, buildLeafHistogram(root))]
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
      : buildChildLeaves(left, right, histogram, buildLeafHistogram, leafOf)
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

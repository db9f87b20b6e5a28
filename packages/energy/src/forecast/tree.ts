import { BINS, type Bins, cutAt } from './bins.ts'

/** Nodes in order, the root first. `feature` −1 is a leaf whose value is `at`; else `at` is the cut and `left` the first of two children. */
export type Tree = { feature: number[]; at: number[]; left: number[] }

/** A tree with the codes it cuts at, and its leaves as stretches of the rows it was grown on. */
export type Grown = { tree: Tree; codes: number[]; leaves: { node: number; from: number; to: number }[] }
type Rows = { bins: Pick<Bins, 'codes'>; gradient: Float64Array; columns: number[] }
export type Growth = Rows & { bins: Bins; leaves: number; least: number }

type Split = { gain: number; feature: number; code: number }
type Leaf = { node: number; from: number; to: number; histogram: Float64Array; split: Split }

const WIDTH = BINS * 2

/** Sum of gradients and count, per column and bin. Rows pass in their order, so that a sum is the same however many columns pass at once. */
export function histogramOf(
  { bins, gradient, columns }: Rows,
  rows: Int32Array,
  from: number,
  to: number,
): Float64Array {
  const histogram = new Float64Array(columns.length * WIDTH)
  const own = rows.subarray(from, to)
  const gradients = new Float64Array(own.length)
  for (let i = 0; i < own.length; i++) gradients[i] = gradient[own[i] as number] as number // once for all columns
  const codesOf = (order: number) => bins.codes[columns[order] ?? 0] ?? new Uint8Array(0)
  let order = 0
  for (; order + 3 < columns.length; order += 4)
    addFour(
      histogram,
      order * WIDTH,
      own,
      gradients,
      [0, 1, 2, 3].map((n) => codesOf(order + n)),
    )
  for (; order < columns.length; order++) addOne(histogram, order * WIDTH, own, gradients, codesOf(order))
  return histogram
}

function addOne(sums: Float64Array, base: number, rows: Int32Array, gradients: Float64Array, codes: Uint8Array): void {
  for (let i = 0; i < rows.length; i++) {
    const place = base + (codes[rows[i] as number] as number) * 2 // within bounds
    ;(sums[place] as number) += gradients[i] as number
    ;(sums[place + 1] as number)++
  }
}

/** This loop is where the time goes: a row and its gradient are fetched once for four columns. */
function addFour(
  sums: Float64Array,
  base: number,
  rows: Int32Array,
  gradients: Float64Array,
  codes: Uint8Array[],
): void {
  const [a, b, c, d] = codes as [Uint8Array, Uint8Array, Uint8Array, Uint8Array] // four are given
  const [baseB, baseC, baseD] = [base + WIDTH, base + 2 * WIDTH, base + 3 * WIDTH]
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number // within bounds, as all below
    const gradient = gradients[i] as number
    const inA = base + (a[row] as number) * 2
    const inB = baseB + (b[row] as number) * 2
    const inC = baseC + (c[row] as number) * 2
    const inD = baseD + (d[row] as number) * 2
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

function bestSplit(growth: Growth, histogram: Float64Array, count: number): Split {
  const best: Split = { gain: 1e-9, feature: -1, code: 0 }
  let total = 0
  for (let code = 0; code < BINS; code++) total += histogram[code * 2] as number // every column sums to the same
  const whole = (total * total) / count
  for (let order = 0; order < growth.columns.length; order++) {
    const column = growth.columns[order] ?? 0
    const found = bestCode(histogram, order * WIDTH, growth.bins.cuts[column]?.length ?? 0, total, count, growth.least)
    if (found.gain - whole <= best.gain) continue
    best.gain = found.gain - whole
    best.feature = column
    best.code = found.code
  }
  return best
}

/** The code of one column after which a cut gains most. */
function bestCode(histogram: Float64Array, base: number, cuts: number, total: number, count: number, least: number) {
  let [sum, n, gain, best] = [0, 0, 0, 0]
  for (let code = 0; code <= cuts; code++) {
    sum += histogram[base + code * 2] as number // within bounds: this loop is where the time goes
    n += histogram[base + code * 2 + 1] as number
    if (n < least || count - n < least) continue
    const rest = total - sum
    const own = (sum * sum) / n + (rest * rest) / (count - n)
    if (own > gain) {
      gain = own
      best = code
    }
  }
  return { gain, code: best }
}

/** Room for rows on their way, kept from one division to the next. */
let aside = new Int32Array(0)

/** Rows that go left first, in their order; returns where the others begin. */
function partition(codes: Uint8Array, code: number, rows: Int32Array, from: number, to: number): number {
  if (aside.length < to - from) aside = new Int32Array(to - from)
  const right = aside
  let place = from
  let others = 0
  for (let i = from; i < to; i++) {
    const row = rows[i] as number // within bounds
    if ((codes[row] as number) <= code) rows[place++] = row
    else right[others++] = row
  }
  rows.set(right.subarray(0, others), place)
  return place
}

/** Grows the leaf that gains most until there are enough; `leafValue` gives a leaf its value from its rows. */
export function growTree(growth: Growth, rows: Int32Array, leafValue: (rows: Int32Array) => number): Grown {
  const tree: Tree = { feature: [-1], at: [0], left: [0] }
  const codes: number[] = []
  const leafOf = (node: number, from: number, to: number, histogram: Float64Array): Leaf => {
    return { node, from, to, histogram, split: bestSplit(growth, histogram, to - from) }
  }
  const leaves = [leafOf(0, 0, rows.length, histogramOf(growth, rows, 0, rows.length))]
  while (leaves.length < growth.leaves) {
    const best = leaves.reduce((a, b) => (b.split.gain > a.split.gain ? b : a))
    if (best.split.feature < 0) break
    codes[best.node] = best.split.code
    // Of the last two nobody asks where they would be divided.
    const last = leaves.length + 1 === growth.leaves
    leaves.splice(leaves.indexOf(best), 1, ...divide(growth, tree, rows, best, last ? undefined : leafOf))
  }
  for (const { node, from, to } of leaves) tree.at[node] = leafValue(rows.subarray(from, to))
  return { tree, codes, leaves }
}

function divide(
  growth: Growth,
  tree: Tree,
  rows: Int32Array,
  { node, from, to, histogram, split }: Leaf,
  leafOf: ((node: number, from: number, to: number, histogram: Float64Array) => Leaf) | undefined,
): Leaf[] {
  const middle = partition(growth.bins.codes[split.feature] ?? new Uint8Array(0), split.code, rows, from, to)
  const left = tree.feature.length
  tree.feature.push(-1, -1)
  tree.at.push(0, 0)
  tree.left.push(0, 0)
  tree.feature[node] = split.feature
  tree.at[node] = cutAt(growth.bins, split.feature, split.code)
  tree.left[node] = left
  if (!leafOf)
    return [
      { node: left, from, to: middle, histogram, split },
      { node: left + 1, from: middle, to, histogram, split },
    ]
  // The smaller side is counted, the other is what is left of the whole.
  const leftIsSmall = middle - from < to - middle
  const small = leftIsSmall ? histogramOf(growth, rows, from, middle) : histogramOf(growth, rows, middle, to)
  const large = histogram
  for (let i = 0; i < large.length; i++) (large[i] as number) -= small[i] as number
  const [ofLeft, ofRight] = leftIsSmall ? [small, large] : [large, small]
  return [leafOf(left, from, middle, ofLeft), leafOf(left + 1, middle, to, ofRight)]
}

/** A hole goes left. */
export function valueIn({ feature, at, left }: Tree, row: ArrayLike<number>): number {
  let node = 0
  for (let column = feature[0] as number; column >= 0; column = feature[node] as number)
    node = (left[node] as number) + ((row[column] as number) > (at[node] as number) ? 1 : 0) // a hole is above nothing
  return at[node] as number
}

/** The same for a row by its codes. */
export function valueOfRow({ tree, codes }: Grown, bins: Bins, row: number): number {
  const { feature, left, at } = tree
  let node = 0
  for (let column = feature[0] as number; column >= 0; column = feature[node] as number) {
    const code = (bins.codes[column] as Uint8Array)[row] as number // within bounds: many rows pass here
    node = (left[node] as number) + (code > (codes[node] as number) ? 1 : 0)
  }
  return at[node] as number
}

import { type Bins, MAX_BINS } from './bins.ts'

/** Layout of one column: per bin the sum of gradients, then the count. */
export const HISTOGRAM_WIDTH = MAX_BINS * 2

export type HistogramRows = { bins: Pick<Bins, 'codes'>; gradient: Float64Array; columns: number[] }

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

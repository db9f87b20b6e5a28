import { BINS, type Bins } from './bins.ts'

/** Places of one column: per bin the sum of gradients, then the count. */
export const WIDTH = BINS * 2

export type Rows = { bins: Pick<Bins, 'codes'>; gradient: Float64Array; columns: number[] }

/** Room for the gradients of the rows that pass, kept from one histogram to the next. */
let gathered = new Float64Array(0)

/**
 * Sum of gradients and count, per column and bin, written over `histogram`. Rows pass in their order, so that a sum is the
 * same however many columns pass at once.
 */
export function histogramOf(
  { bins, gradient, columns }: Rows,
  rows: Int32Array,
  histogram: Float64Array = new Float64Array(columns.length * WIDTH),
): Float64Array {
  if (gathered.length < rows.length) gathered = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) gathered[i] = gradient[rows[i] as number] as number // once for all columns
  histogram.fill(0)
  const codes = columns.map((column) => bins.codes[column] ?? new Uint8Array(0))
  let order = 0
  for (; order + 7 < codes.length; order += 8) addEight(histogram, order * WIDTH, rows, codes.slice(order, order + 8))
  for (; order + 3 < codes.length; order += 4) addFour(histogram, order * WIDTH, rows, codes.slice(order, order + 4))
  for (; order < codes.length; order++) addOne(histogram, order * WIDTH, rows, codes[order] as Uint8Array)
  return histogram
}

function addOne(sums: Float64Array, base: number, rows: Int32Array, codes: Uint8Array): void {
  const gradients = gathered
  for (let i = 0; i < rows.length; i++) {
    const place = base + (codes[rows[i] as number] as number) * 2 // within bounds
    ;(sums[place] as number) += gradients[i] as number
    ;(sums[place + 1] as number)++
  }
}

type Four = [Uint8Array, Uint8Array, Uint8Array, Uint8Array]

function addFour(sums: Float64Array, base: number, rows: Int32Array, codes: Uint8Array[]): void {
  const [a, b, c, d] = codes as Four // four are given
  const gradients = gathered
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number // within bounds, as all below
    const gradient = gradients[i] as number
    const inA = base + (a[row] as number) * 2
    const inB = base + WIDTH + (b[row] as number) * 2
    const inC = base + 2 * WIDTH + (c[row] as number) * 2
    const inD = base + 3 * WIDTH + (d[row] as number) * 2
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

/** This loop is where the time goes: a row and its gradient are fetched once for eight columns, whose sums do not wait for one another. */
function addEight(sums: Float64Array, base: number, rows: Int32Array, codes: Uint8Array[]): void {
  const [a, b, c, d, e, f, g, h] = codes as [...Four, ...Four] // eight are given
  const gradients = gathered
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number // within bounds, as all below
    const gradient = gradients[i] as number
    const inA = base + (a[row] as number) * 2
    const inB = base + WIDTH + (b[row] as number) * 2
    const inC = base + 2 * WIDTH + (c[row] as number) * 2
    const inD = base + 3 * WIDTH + (d[row] as number) * 2
    const inE = base + 4 * WIDTH + (e[row] as number) * 2
    const inF = base + 5 * WIDTH + (f[row] as number) * 2
    const inG = base + 6 * WIDTH + (g[row] as number) * 2
    const inH = base + 7 * WIDTH + (h[row] as number) * 2
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

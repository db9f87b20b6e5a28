import type { LinearModel } from './types.ts'

const PENALTY = 0.03
const REWEIGHTINGS = 5
/** Below this error, as a part of the peak power, all errors weigh the same. */
const MIN_ERROR = 0.02

const roundToEightDigits = (value: number) => Number(value.toPrecision(8))

/** Solves A·x = b for a symmetric positive-definite matrix, by Cholesky; A (row by row) and b are overwritten. */
function solveCholesky(matrix: Float64Array, b: Float64Array): Float64Array {
  const n = b.length
  const at = (i: number, j: number) => matrix[i * n + j] ?? 0
  for (let j = 0; j < n; j++) {
    let diagonal = at(j, j)
    for (let k = 0; k < j; k++) diagonal -= at(j, k) ** 2
    const root = Math.sqrt(Math.max(diagonal, 1e-12))
    matrix[j * n + j] = root
    for (let i = j + 1; i < n; i++) {
      let value = at(i, j)
      for (let k = 0; k < j; k++) value -= at(i, k) * at(j, k)
      matrix[i * n + j] = value / root
    }
  }
  for (let i = 0; i < n; i++) {
    let value = b[i] ?? 0
    for (let k = 0; k < i; k++) value -= at(i, k) * (b[k] ?? 0)
    b[i] = value / at(i, i)
  }
  for (let i = n - 1; i >= 0; i--) {
    let value = b[i] ?? 0
    for (let k = i + 1; k < n; k++) value -= at(k, i) * (b[k] ?? 0)
    b[i] = value / at(i, i)
  }
  return b
}

/** Loops over rows first, in the order of memory. */
function computeMoments(rows: number[][], count: number): { means: number[]; scales: number[] } {
  const [known, sums, squares] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (const row of rows)
    for (let column = 0; column < count; column++) {
      const value = row[column] as number // rows are of equal size
      if (Number.isNaN(value)) continue
      ;(known[column] as number)++
      ;(sums[column] as number) += value
      ;(squares[column] as number) += value * value
    }
  const means: number[] = []
  const scales: number[] = []
  for (const [column, n] of known.entries()) {
    const mean = n > 0 ? (sums[column] ?? 0) / n : 0
    const deviation = n > 0 ? Math.sqrt(Math.max(0, (squares[column] ?? 0) / n - mean * mean)) : 0
    means.push(roundToEightDigits(mean))
    scales.push(deviation > 1e-9 ? roundToEightDigits(1 / deviation) : 0)
  }
  return { means, scales }
}

/** A missing value counts as the mean. */
const standardize = (value: number, mean: number, scale: number) => (Number.isNaN(value) ? 0 : (value - mean) * scale)

/** Rows of equal size one after the other; the last term of each is the bias. */
type TermTable = { values: Float64Array; size: number; rows: number }

/**
 * Adds four rows at once, in order in every sum: most of the time goes here, and each sum is read once for all four.
 */
function addFour(
  matrix: Float64Array,
  right: Float64Array,
  values: Float64Array,
  at: number,
  weights: Float64Array,
  y: number[],
) {
  const size = right.length
  const a = at * size
  const [b, c, d] = [a + size, a + 2 * size, a + 3 * size]
  for (let i = 0; i < size; i++) {
    const inA = (weights[at] as number) * (values[a + i] as number) // within bounds, as all below
    const inB = (weights[at + 1] as number) * (values[b + i] as number)
    const inC = (weights[at + 2] as number) * (values[c + i] as number)
    const inD = (weights[at + 3] as number) * (values[d + i] as number)
    right[i] =
      (right[i] as number) +
      inA * (y[at] as number) +
      inB * (y[at + 1] as number) +
      inC * (y[at + 2] as number) +
      inD * (y[at + 3] as number)
    const line = i * size
    for (let j = 0; j <= i; j++)
      matrix[line + j] =
        (matrix[line + j] as number) +
        inA * (values[a + j] as number) +
        inB * (values[b + j] as number) +
        inC * (values[c + j] as number) +
        inD * (values[d + j] as number)
  }
}

function addOne(
  matrix: Float64Array,
  right: Float64Array,
  values: Float64Array,
  at: number,
  weight: number,
  y: number,
) {
  const size = right.length
  const base = at * size
  for (let i = 0; i < size; i++) {
    const own = weight * (values[base + i] as number) // within bounds
    right[i] = (right[i] as number) + own * y
    for (let j = 0; j <= i; j++) (matrix[i * size + j] as number) += own * (values[base + j] as number)
  }
}

/** One weighted ridge regression; the last unknown is the bias, which is not penalised. */
function fitRidge({ values, size, rows }: TermTable, y: number[], weights: Float64Array): Float64Array {
  const matrix = new Float64Array(size * size)
  const right = new Float64Array(size)
  let at = 0
  for (; at + 3 < rows; at += 4) addFour(matrix, right, values, at, weights, y)
  for (; at < rows; at++) addOne(matrix, right, values, at, weights[at] ?? 0, y[at] ?? 0)
  // The sum of weights replaces the number of rows, so that the penalty does not depend on how large errors are.
  const held = PENALTY * weights.reduce((sum, weight) => sum + weight, 0)
  for (let i = 0; i < size - 1; i++) (matrix[i * size + i] as number) += held
  return solveCholesky(matrix, right)
}

const computeDot = ({ values, size }: TermTable, row: number, by: Float64Array) => {
  let sum = 0
  for (let i = 0; i < size; i++) sum += (values[row * size + i] ?? 0) * (by[i] ?? 0)
  return sum
}

function buildTermTable(terms: number[][], means: number[], scales: number[]): TermTable {
  const size = means.length + 1
  const values = new Float64Array(terms.length * size)
  for (let at = 0; at < terms.length; at++) {
    const row = terms[at] as number[] // within bounds, as below
    for (let i = 0; i < size - 1; i++)
      values[at * size + i] = standardize(row[i] as number, means[i] as number, scales[i] as number)
    values[at * size + size - 1] = 1
  }
  return { values, size, rows: terms.length }
}

/**
 * Ridge on standardised terms, turned into least absolute deviations by reweighting: it follows the median, and
 * extrapolates.
 */
export function fitLinear(terms: number[][], y: number[], weights: ArrayLike<number>): LinearModel {
  const { means, scales } = computeMoments(terms, terms[0]?.length ?? 0)
  const table = buildTermTable(terms, means, scales)
  const used = Float64Array.from(weights)
  let solution = new Float64Array(table.size)
  for (let round = 0; round <= REWEIGHTINGS; round++) {
    if (round > 0)
      for (let at = 0; at < table.rows; at++)
        used[at] = (weights[at] ?? 0) / Math.max(MIN_ERROR, Math.abs((y[at] ?? 0) - computeDot(table, at, solution)))
    solution = new Float64Array(fitRidge(table, y, used))
  }
  const all = Array.from(solution, roundToEightDigits)
  return { means, scales, weights: all.slice(0, -1), bias: all.at(-1) ?? 0 }
}

export function predictLinear({ means, scales, weights, bias }: LinearModel, terms: number[]): number {
  let sum = bias
  for (let i = 0; i < means.length; i++)
    sum += standardize(terms[i] ?? Number.NaN, means[i] ?? 0, scales[i] ?? 0) * (weights[i] ?? 0)
  return sum
}

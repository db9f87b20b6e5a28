import type { Linear } from './types.ts'

const PENALTY = 0.03
const REWEIGHTINGS = 5
/** Below this error, as a part of the peak power, all errors weigh the same. */
const SMALL = 0.02

const short = (value: number) => Number(value.toPrecision(8))

/** Solves A·x = b for a symmetric positive matrix, by Cholesky; A (row by row) and b are overwritten. */
function solve(matrix: Float64Array, b: Float64Array): Float64Array {
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

function moments(rows: number[][], count: number): { means: number[]; scales: number[] } {
  const means: number[] = []
  const scales: number[] = []
  for (let column = 0; column < count; column++) {
    let [n, sum, squares] = [0, 0, 0]
    for (const row of rows) {
      const value = row[column] ?? Number.NaN
      if (Number.isNaN(value)) continue
      n++
      sum += value
      squares += value * value
    }
    const mean = n > 0 ? sum / n : 0
    const deviation = n > 0 ? Math.sqrt(Math.max(0, squares / n - mean * mean)) : 0
    means.push(short(mean))
    scales.push(deviation > 1e-9 ? short(1 / deviation) : 0)
  }
  return { means, scales }
}

/** A hole takes the place of the mean. */
const standard = (row: number[], means: number[], scales: number[]) =>
  means.map((mean, i) => {
    const value = row[i] ?? Number.NaN
    return Number.isNaN(value) ? 0 : (value - mean) * (scales[i] ?? 0)
  })

/** Rows of equal size one after the other: the bias is the last of each. */
type Table = { values: Float64Array; size: number; rows: number }

type Two = [number, number]

/** Two rows at once, the first before the second in every sum: this is where the time goes, and a sum is fetched once for both. */
function addTwo(
  matrix: Float64Array,
  right: Float64Array,
  values: Float64Array,
  base: number,
  [one, two]: Two,
  [y, z]: Two,
): void {
  const size = right.length
  const next = two === 0 ? base : base + size
  for (let i = 0; i < size; i++) {
    const first = one * (values[base + i] as number) // within bounds, as all below
    const second = two * (values[next + i] as number)
    right[i] = (right[i] as number) + first * y + second * z
    const line = i * size
    for (let j = 0; j <= i; j++)
      matrix[line + j] =
        (matrix[line + j] as number) + first * (values[base + j] as number) + second * (values[next + j] as number)
  }
}

/** One weighted ridge; the last unknown is the bias, which is not held down. */
function ridge({ values, size, rows }: Table, y: number[], weights: Float64Array): Float64Array {
  const matrix = new Float64Array(size * size)
  const right = new Float64Array(size)
  let at = 0
  for (; at + 1 < rows; at += 2)
    addTwo(matrix, right, values, at * size, [weights[at] ?? 0, weights[at + 1] ?? 0], [y[at] ?? 0, y[at + 1] ?? 0])
  if (at < rows) addTwo(matrix, right, values, at * size, [weights[at] ?? 0, 0], [y[at] ?? 0, 0])
  // The weights' sum stands for the number of rows: what is held down does not depend on how large errors are.
  const held = PENALTY * weights.reduce((sum, weight) => sum + weight, 0)
  for (let i = 0; i < size - 1; i++) (matrix[i * size + i] as number) += held
  return solve(matrix, right)
}

const dot = ({ values, size }: Table, row: number, by: Float64Array) => {
  let sum = 0
  for (let i = 0; i < size; i++) sum += (values[row * size + i] ?? 0) * (by[i] ?? 0)
  return sum
}

function tableOf(terms: number[][], means: number[], scales: number[]): Table {
  const size = means.length + 1
  const values = new Float64Array(terms.length * size)
  for (const [at, row] of terms.entries()) {
    values.set(standard(row, means, scales), at * size)
    values[at * size + size - 1] = 1
  }
  return { values, size, rows: terms.length }
}

/** Ridge on standardised terms, made least-absolute by reweighting: it follows the median, and extrapolates. */
export function fitLinear(terms: number[][], y: number[], weights: ArrayLike<number>): Linear {
  const { means, scales } = moments(terms, terms[0]?.length ?? 0)
  const table = tableOf(terms, means, scales)
  const used = Float64Array.from(weights)
  let solution = new Float64Array(table.size)
  for (let round = 0; round <= REWEIGHTINGS; round++) {
    if (round > 0)
      for (let at = 0; at < table.rows; at++)
        used[at] = (weights[at] ?? 0) / Math.max(SMALL, Math.abs((y[at] ?? 0) - dot(table, at, solution)))
    solution = new Float64Array(ridge(table, y, used))
  }
  const all = Array.from(solution, short)
  return { means, scales, weights: all.slice(0, -1), bias: all.at(-1) ?? 0 }
}

export function predictLinear({ means, scales, weights, bias }: Linear, terms: number[]): number {
  return standard(terms, means, scales).reduce((sum, value, i) => sum + value * (weights[i] ?? 0), bias)
}

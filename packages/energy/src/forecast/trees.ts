import { uniform } from '../model/random.ts'
import { type Bins, binsOf } from './bins.ts'
import { quantile } from './quantile.ts'
import { growTree, type Tree, valueIn } from './tree.ts'

/** A quantile as a sum of small trees. */
export type Trees = { start: number; trees: Tree[] }

const ROUNDS = 120
const RATE = 0.05
const LEAVES = 12
const ROWS = 0.7
const COLUMNS = 0.5
const SEED = 20_230_301

const short = (value: number) => Number(value.toPrecision(6))
const leastOf = (rows: number) => Math.min(60, Math.max(15, Math.round(rows / 150)))

function sampleColumns(count: number, round: number): number[] {
  const order = Array.from({ length: count }, (_, column) => column)
  order.sort((a, b) => uniform(SEED, 1, round, a) - uniform(SEED, 1, round, b))
  return order.slice(0, Math.max(1, Math.round(count * COLUMNS))).sort((a, b) => a - b)
}

function sampleRows(count: number, round: number): Int32Array {
  const rows: number[] = []
  for (let row = 0; row < count; row++) if (uniform(SEED, 2, round, row) < ROWS) rows.push(row)
  return Int32Array.from(rows)
}

/** Boosted trees for each level of pinball loss, on what is left to explain. */
export function fitTrees(features: number[][], rest: Float64Array, levels: number[]): Trees[] {
  const bins = binsOf(features)
  return levels.map((level) => boost(features, bins, rest, level))
}

function boost(features: number[][], bins: Bins, rest: Float64Array, level: number): Trees {
  const start = short(quantile(rest.slice(), level))
  const left = rest.map((value) => value - start)
  const gradient = new Float64Array(rest.length)
  const trees: Tree[] = []
  const leafValue = (rows: Int32Array) =>
    short(
      RATE *
        quantile(
          Float64Array.from(rows, (row) => left[row] ?? 0),
          level,
        ),
    )
  for (let round = 0; round < ROUNDS; round++) {
    for (let row = 0; row < left.length; row++) gradient[row] = (left[row] ?? 0) > 0 ? level : level - 1
    const columns = sampleColumns(bins.codes.length, round)
    const growth = { bins, gradient, columns, leaves: LEAVES, least: leastOf(rest.length) }
    const tree = growTree(growth, sampleRows(rest.length, round), leafValue)
    trees.push(tree)
    for (let row = 0; row < left.length; row++) left[row] = (left[row] ?? 0) - valueIn(tree, features[row] ?? [])
  }
  return { start, trees }
}

export const predictTrees = ({ start, trees }: Trees, row: ArrayLike<number>): number =>
  trees.reduce((sum, tree) => sum + valueIn(tree, row), start)

import { uniform } from '../model/random.ts'
import { type Bins, binsOf } from './bins.ts'
import { quantileOf } from './quantile.ts'
import { growTree, type Tree, valueIn, valueOfRow } from './tree.ts'

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

/** Whether each row takes part in a round: the same for every fit, and drawn once for all of them. */
let lots: Uint8Array[] = []

function lotsOf(count: number): Uint8Array[] {
  if ((lots[0]?.length ?? 0) < count)
    lots = Array.from({ length: ROUNDS }, (_, round) =>
      Uint8Array.from({ length: count }, (_, row) => (uniform(SEED, 2, round, row) < ROWS ? 1 : 0)),
    )
  return lots
}

function sampleRows(count: number, lot: Uint8Array): Pick<Draw, 'rows' | 'others'> {
  const all = new Int32Array(count)
  let [drawn, end] = [0, count]
  for (let row = 0; row < count; row++) all[lot[row] ? drawn++ : --end] = row
  return { rows: all.subarray(0, drawn), others: all.subarray(drawn) }
}

/** What each round grows on: the same for every level. */
type Draw = { rows: Int32Array; others: Int32Array; columns: number[] }

function drawsOf(rows: number, columns: number): Draw[] {
  return lotsOf(rows).map((lot, round) => ({ ...sampleRows(rows, lot), columns: sampleColumns(columns, round) }))
}

/** Boosted trees for each level of pinball loss, on what is left to explain. */
export function fitTrees(features: number[][], rest: Float64Array, levels: number[]): Trees[] {
  const bins = binsOf(features)
  const draws = drawsOf(rest.length, bins.codes.length)
  return levels.map((level) => boost(bins, rest, level, draws))
}

function boost(bins: Bins, rest: Float64Array, level: number, draws: Draw[]): Trees {
  const start = short(quantileOf(rest.slice(), level))
  const left = rest.map((value) => value - start)
  const gradient = new Float64Array(rest.length)
  const room = new Float64Array(rest.length)
  const leafValue = (rows: Int32Array) => {
    for (let at = 0; at < rows.length; at++) room[at] = left[rows[at] as number] as number // within bounds
    return short(RATE * quantileOf(room.subarray(0, rows.length), level))
  }
  const least = leastOf(rest.length)
  const trees = draws.map(({ rows, others, columns }) => {
    for (let row = 0; row < left.length; row++) gradient[row] = (left[row] as number) > 0 ? level : level - 1
    const own = rows.slice()
    const grown = growTree({ bins, gradient, columns, leaves: LEAVES, least }, own, leafValue)
    // Rows it was grown on lie in their leaves already.
    for (const { node, from, to } of grown.leaves)
      for (let at = from; at < to; at++) (left[own[at] as number] as number) -= grown.tree.at[node] as number
    for (const row of others) (left[row] as number) -= valueOfRow(grown, bins, row)
    return grown.tree
  })
  return { start, trees }
}

export const predictTrees = ({ start, trees }: Trees, row: ArrayLike<number>): number =>
  trees.reduce((sum, tree) => sum + valueIn(tree, row), start)

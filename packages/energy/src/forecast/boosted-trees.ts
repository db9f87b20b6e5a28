import { drawUniform } from '../model/random.ts'
import { selectQuantile } from './quantile.ts'
import { type Bins, buildBins, evaluateTree, growTree, type RegressionTree } from './regression-tree.ts'

/** A quantile as a sum of small trees. */
export type BoostedTrees = { start: number; trees: RegressionTree[] }

const BOOSTING_ROUNDS = 120
const LEARNING_RATE = 0.05
const MAX_LEAVES = 12
const ROW_SAMPLE_SHARE = 0.7
const COLUMN_SAMPLE_SHARE = 0.5
const SEED = 20_230_301

const roundToSixDigits = (value: number) => Number(value.toPrecision(6))
const getMinLeafRows = (rows: number) => Math.min(60, Math.max(15, Math.round(rows / 150)))

function sampleColumns(count: number, round: number): number[] {
  const order = Array.from({ length: count }, (_, column) => column)
  order.sort((a, b) => drawUniform(SEED, 1, round, a) - drawUniform(SEED, 1, round, b))
  return order.slice(0, Math.max(1, Math.round(count * COLUMN_SAMPLE_SHARE))).sort((a, b) => a - b)
}

/** Whether each row takes part in a round: the same for every fit, so drawn once. */
let rowLots: Uint8Array[] = []

function getRowLots(count: number): Uint8Array[] {
  if ((rowLots[0]?.length ?? 0) < count)
    rowLots = Array.from({ length: BOOSTING_ROUNDS }, (_, round) =>
      Uint8Array.from({ length: count }, (_, row) => (drawUniform(SEED, 2, round, row) < ROW_SAMPLE_SHARE ? 1 : 0)),
    )
  return rowLots
}

/** Only the first `learnt` rows may be drawn. */
function sampleRows(learnt: number, all: number, lot: Uint8Array): Pick<Draw, 'rows' | 'others'> {
  const order = new Int32Array(all)
  let [drawn, end] = [0, all]
  for (let row = 0; row < all; row++) order[row < learnt && lot[row] ? drawn++ : --end] = row
  return { rows: order.subarray(0, drawn), others: order.subarray(drawn) }
}

/** The rows and columns of each round: the same for every level. */
type Draw = { rows: Int32Array; others: Int32Array; columns: number[] }

function buildDraws(learnt: number, all: number, columns: number): Draw[] {
  return getRowLots(learnt).map((lot, round) => ({
    ...sampleRows(learnt, all, lot),
    columns: sampleColumns(columns, round),
  }))
}

/** The trees of a level, and their predictions for the rows that they did not learn from. */
type FittedLevel = { trees: BoostedTrees; said: Float64Array }

/** Boosted trees for each level of pinball loss, fitted on the `rest` left to explain of the first rows. */
export function fitTrees(features: number[][], rest: Float64Array, levels: number[]): FittedLevel[] {
  const bins = buildBins(features, rest.length)
  const draws = buildDraws(rest.length, features.length, bins.codes.length)
  return levels.map((level) => fitBoostedTrees(bins, rest, features.length, level, draws))
}

function fitBoostedTrees(bins: Bins, rest: Float64Array, all: number, level: number, draws: Draw[]): FittedLevel {
  const start = roundToSixDigits(selectQuantile(rest.slice(), level))
  // Rows not learnt from start at zero: what is subtracted from them is their prediction.
  const left = new Float64Array(all)
  for (let row = 0; row < all; row++) left[row] = (rest[row] ?? 0) - start
  const gradient = new Float64Array(rest.length)
  const room = new Float64Array(rest.length)
  const leafValue = (rows: Int32Array) => {
    for (let at = 0; at < rows.length; at++) room[at] = left[rows[at] as number] as number // within bounds
    return roundToSixDigits(LEARNING_RATE * selectQuantile(room.subarray(0, rows.length), level))
  }
  const least = getMinLeafRows(rest.length)
  const trees = draws.map(({ rows, others, columns }) => {
    for (let row = 0; row < gradient.length; row++) gradient[row] = (left[row] as number) > 0 ? level : level - 1
    const own = rows.slice()
    const { tree, leaves } = growTree({ bins, gradient, columns, leaves: MAX_LEAVES, least }, own, others, leafValue)
    for (const { node, from, to, otherFrom, otherTo } of leaves) {
      subtractAt(left, own, from, to, tree.at[node] ?? 0)
      subtractAt(left, others, otherFrom, otherTo, tree.at[node] ?? 0)
    }
    return tree
  })
  return { trees: { start, trees }, said: left.subarray(rest.length).map((value) => -value) }
}

function subtractAt(left: Float64Array, rows: Int32Array, from: number, to: number, value: number): void {
  for (let at = from; at < to; at++) (left[rows[at] as number] as number) -= value // within bounds
}

export const predictTrees = ({ start, trees }: BoostedTrees, row: ArrayLike<number>): number =>
  trees.reduce((sum, tree) => sum + evaluateTree(tree, row), start)

import { expect, test } from 'vitest'
import { drawUniform } from '../model/random.ts'
import { fitTrees, predictTrees } from './boosted-trees.ts'
import { buildBins, computeHistogram, evaluateTree, growTree, MAX_BINS } from './regression-tree.ts'

const ROWS = 900
const features = Array.from({ length: ROWS }, (_, row) =>
  Array.from({ length: 14 }, (_, column) =>
    drawUniform(5, row, column) < 0.05 ? Number.NaN : drawUniform(6, row, column),
  ),
)
const bins = buildBins(features)
const gradient = Float64Array.from({ length: ROWS }, (_, row) => (drawUniform(7, row) < 0.3 ? 0.1 : -0.9))
const rows = Int32Array.from({ length: ROWS }, (_, at) => (at * 7) % ROWS)

test('eight or four columns at once give the same sums to the bit as one after the other', () => {
  const all = Array.from({ length: 14 }, (_, column) => column)
  for (const columns of [[0], [3, 4, 5, 9], [0, 1, 2, 4, 6, 7, 8, 9, 10], all.slice(1), all]) {
    const plain = new Float64Array(columns.length * MAX_BINS * 2)
    for (const [order, column] of columns.entries())
      for (const row of rows.subarray(100, 800)) {
        const place = (order * MAX_BINS + (bins.codes[column]?.[row] ?? 0)) * 2
        plain[place] = (plain[place] ?? 0) + (gradient[row] ?? 0)
        plain[place + 1] = (plain[place + 1] ?? 0) + 1
      }
    const used = new Float64Array(plain.length).fill(3)
    expect(computeHistogram({ bins, gradient, columns }, rows.subarray(100, 800), used)).toEqual(plain)
  }
})

test('a tree has as many leaves as allowed, and every row reaches one, those not learnt from too', () => {
  const growth = { bins, gradient, columns: [0, 2, 3, 5, 8, 10], least: 15 }
  const [own, others] = [rows.slice(0, 600), rows.slice(600)]
  const { tree, leaves } = growTree({ ...growth, leaves: 12 }, own, others, (some) => some.length)
  expect(leaves).toHaveLength(12)
  for (const { node, from, to, otherFrom, otherTo } of leaves) {
    expect(to - from).toBeGreaterThanOrEqual(15)
    expect(tree.at[node]).toBe(to - from)
    for (const row of [...own.subarray(from, to), ...others.subarray(otherFrom, otherTo)])
      expect(evaluateTree(tree, features[row] ?? [])).toBe(tree.at[node])
  }
  expect([...own, ...others].sort((a, b) => a - b)).toEqual(features.map((_, row) => row))
  // With one leaf fewer it is the same tree before its last split.
  const fewer = growTree({ ...growth, leaves: 11 }, rows.slice(0, 600), others, (some) => some.length).tree
  expect(tree.left.slice(0, 1)).toEqual(fewer.left.slice(0, 1))
  expect(tree.feature.filter((feature) => feature >= 0)).toHaveLength(11)
  expect(fewer.feature.filter((feature) => feature >= 0)).toHaveLength(10)
})

test('predictions made while trees grow equal to the bit those of the trees, and change no fit', () => {
  const learnt = 700
  const rest = Float64Array.from({ length: learnt }, (_, row) => (features[row]?.[2] || 0) + 0.2 * drawUniform(8, row))
  const levels = [0.1, 0.5, 0.9]
  const fitted = fitTrees(features, rest, levels)
  for (const { trees, said } of fitted)
    expect([...said]).toEqual(features.slice(learnt).map((row) => predictTrees(trees, row)))
  const alone = fitTrees(features.slice(0, learnt), rest, levels)
  expect(alone.map(({ trees }) => trees)).toEqual(fitted.map(({ trees }) => trees))
})

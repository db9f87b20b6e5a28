import { expect, test } from 'vitest'
import { uniform } from '../model/random.ts'
import { BINS, binsOf } from './bins.ts'
import { growTree, histogramOf, valueOfRow } from './tree.ts'

const ROWS = 900
const features = Array.from({ length: ROWS }, (_, row) =>
  Array.from({ length: 11 }, (_, column) => (uniform(5, row, column) < 0.05 ? Number.NaN : uniform(6, row, column))),
)
const bins = binsOf(features)
const gradient = Float64Array.from({ length: ROWS }, (_, row) => (uniform(7, row) < 0.3 ? 0.1 : -0.9))
const rows = Int32Array.from({ length: ROWS }, (_, at) => (at * 7) % ROWS)

test('columns pass four at a time, and each sum is to the bit that of one after the other', () => {
  for (const columns of [[0], [3, 4, 5, 9], [0, 1, 2, 4, 6, 7, 8, 9, 10]]) {
    const plain = new Float64Array(columns.length * BINS * 2)
    for (const [order, column] of columns.entries())
      for (const row of rows.subarray(100, 800)) {
        const place = (order * BINS + (bins.codes[column]?.[row] ?? 0)) * 2
        plain[place] = (plain[place] ?? 0) + (gradient[row] ?? 0)
        plain[place + 1] = (plain[place + 1] ?? 0) + 1
      }
    expect(histogramOf({ bins, gradient, columns }, rows, 100, 800)).toEqual(plain)
  }
})

test('a tree has as many leaves as it may, and every row of a leaf is given its value', () => {
  const columns = [0, 2, 3, 5, 8, 10]
  const own = rows.slice()
  const grown = growTree({ bins, gradient, columns, leaves: 12, least: 15 }, own, (some) => some.length)
  expect(grown.leaves).toHaveLength(12)
  for (const { node, from, to } of grown.leaves) {
    expect(to - from).toBeGreaterThanOrEqual(15)
    for (const row of own.subarray(from, to)) expect(valueOfRow(grown, bins, row)).toBe(grown.tree.at[node])
  }
  // With one leaf fewer it is the same tree before its last division.
  const fewer = growTree({ bins, gradient, columns, leaves: 11, least: 15 }, rows.slice(), (some) => some.length)
  expect(grown.tree.left.slice(0, 1)).toEqual(fewer.tree.left.slice(0, 1))
  expect(grown.tree.feature.filter((feature) => feature >= 0)).toHaveLength(11)
  expect(fewer.tree.feature.filter((feature) => feature >= 0)).toHaveLength(10)
})

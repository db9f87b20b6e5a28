import { expect, test } from 'vitest'
import { openingEntry, openings, type YearSum } from './book-opening.ts'
import { CHART } from './chart.ts'

const sum = (account: string, cents: number, yearFrom: string, aux = ''): YearSum => ({
  account,
  aux,
  auxLabel: aux && `Chez ${aux}`,
  yearFrom,
  cents,
})
const shown = (from: string, sums: YearSum[]) =>
  openingEntry(from, sums, CHART)?.rows.map(({ account, aux, debit, credit }) => [account, aux, debit, credit])

test('a year opens with every account of the balance sheet, by auxiliary, and the result of the one before', () => {
  const sums = [
    sum('411000', 3_007, '2025-01-01', 'B'),
    sum('411000', 1_201, '2025-01-01', 'A'),
    sum('512000', 9_119, '2025-01-01'),
    sum('445712000', -2_221, '2025-01-01'),
    sum('701000', -11_607, '2025-01-01'),
    sum('627000', 501, '2025-01-01'),
    // Of the year itself: no part of what it opens with.
    sum('411000', 777, '2026-01-01', 'A'),
  ]
  expect(openingEntry('2026-01-01', sums, CHART)).toMatchObject({
    source: 'opening:2026-01-01',
    journal: 'opening',
    day: '2026-01-01',
  })
  expect(shown('2026-01-01', sums)).toEqual([
    ['411000', 'A', 1_201, 0],
    ['411000', 'B', 3_007, 0],
    ['445712000', '', 0, 2_221],
    ['512000', '', 9_119, 0],
    ['120000', '', 0, 11_106],
  ])
})

test('older results are carried forward, the last one stands alone; a loss is on the other side', () => {
  const sums = [
    sum('512000', 4_003, '2024-07-01'),
    sum('701000', -4_003, '2024-07-01'),
    sum('512000', -1_501, '2025-07-01'),
    sum('627000', 1_501, '2025-07-01'),
  ]
  expect(shown('2026-07-01', sums)).toEqual([
    ['512000', '', 2_502, 0],
    ['110000', '', 0, 4_003],
    ['129000', '', 1_501, 0],
  ])
  const all = openingEntry('2026-07-01', sums, CHART)?.rows ?? []
  expect(all.reduce((total, { debit, credit }) => total + debit - credit, 0)).toBe(0)
})

test('what came out even is not repeated; nothing to carry is no entry', () => {
  const even = [sum('411000', 500, '2024-01-01', 'A'), sum('411000', -500, '2025-01-01', 'A')]
  expect(openingEntry('2026-01-01', even, CHART)).toBeNull()
  expect(openingEntry('2026-01-01', [], CHART)).toBeNull()
})

test('years open one after the other, up to today', () => {
  expect(openings('2024-03-17', '2026-11-17', 1)).toEqual(['2025-01-01', '2026-01-01'])
  expect(openings('2024-03-17', '2026-03-31', 4)).toEqual(['2024-04-01', '2025-04-01'])
  expect(openings('2026-03-17', '2026-11-17', 1)).toEqual([])
})

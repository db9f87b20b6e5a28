import { expect, test } from 'vitest'
import { DEFAULT_CHART_OF_ACCOUNTS } from './chart-of-accounts.ts'
import { buildOpeningEntry, listYearOpenings, type YearBalance } from './opening-entries.ts'

const sum = (account: string, cents: number, yearFrom: string, aux = ''): YearBalance => ({
  account,
  aux,
  auxLabel: aux && `Chez ${aux}`,
  yearFrom,
  cents,
})
const toOpeningRows = (from: string, sums: YearBalance[]) =>
  buildOpeningEntry(from, sums, DEFAULT_CHART_OF_ACCOUNTS)?.rows.map(({ account, aux, debit, credit }) => [
    account,
    aux,
    debit,
    credit,
  ])

test('a year opens with each balance sheet account, by auxiliary, and the previous result', () => {
  const sums = [
    sum('411000', 3_007, '2025-01-01', 'B'),
    sum('411000', 1_201, '2025-01-01', 'A'),
    sum('512000', 9_119, '2025-01-01'),
    sum('445712000', -2_221, '2025-01-01'),
    sum('701000', -11_607, '2025-01-01'),
    sum('627000', 501, '2025-01-01'),
    // Entries of the year itself are not part of its opening.
    sum('411000', 777, '2026-01-01', 'A'),
  ]
  expect(buildOpeningEntry('2026-01-01', sums, DEFAULT_CHART_OF_ACCOUNTS)).toMatchObject({
    source: 'opening:2026-01-01',
    journal: 'opening',
    day: '2026-01-01',
  })
  expect(toOpeningRows('2026-01-01', sums)).toEqual([
    ['411000', 'A', 1_201, 0],
    ['411000', 'B', 3_007, 0],
    ['445712000', '', 0, 2_221],
    ['512000', '', 9_119, 0],
    ['120000', '', 0, 11_106],
  ])
})

test('older results are carried forward, the last has its own account; a loss is on the debit side', () => {
  const sums = [
    sum('512000', 4_003, '2024-07-01'),
    sum('701000', -4_003, '2024-07-01'),
    sum('512000', -1_501, '2025-07-01'),
    sum('627000', 1_501, '2025-07-01'),
  ]
  expect(toOpeningRows('2026-07-01', sums)).toEqual([
    ['512000', '', 2_502, 0],
    ['110000', '', 0, 4_003],
    ['129000', '', 1_501, 0],
  ])
  const all = buildOpeningEntry('2026-07-01', sums, DEFAULT_CHART_OF_ACCOUNTS)?.rows ?? []
  expect(all.reduce((total, { debit, credit }) => total + debit - credit, 0)).toBe(0)
})

test('accounts at zero are left out; with no balance at all there is no entry', () => {
  const even = [sum('411000', 500, '2024-01-01', 'A'), sum('411000', -500, '2025-01-01', 'A')]
  expect(buildOpeningEntry('2026-01-01', even, DEFAULT_CHART_OF_ACCOUNTS)).toBeNull()
  expect(buildOpeningEntry('2026-01-01', [], DEFAULT_CHART_OF_ACCOUNTS)).toBeNull()
})

test('years open one after the other, up to today', () => {
  expect(listYearOpenings('2024-03-17', '2026-11-17', 1)).toEqual(['2025-01-01', '2026-01-01'])
  expect(listYearOpenings('2024-03-17', '2026-03-31', 4)).toEqual(['2024-04-01', '2025-04-01'])
  expect(listYearOpenings('2026-03-17', '2026-11-17', 1)).toEqual([])
})

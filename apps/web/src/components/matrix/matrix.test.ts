import { expect, test } from 'vitest'
import {
  computeMatrixCompleteness,
  computeScroll,
  computeVisibleRange,
  countStates,
  describeMatrix,
  formatCompleteness,
  getCellState,
  getNextCell,
} from './matrix-model.ts'

const rows = [
  { id: '1', label: 'Logement 1', cells: 'rrrr' },
  { id: '2', label: 'Logement 2', cells: 'recm' },
  { id: '3', label: 'Logement 3', cells: '--rp' },
]

test('states are counted, and what is not expected does not lower completeness', () => {
  expect(countStates(rows)).toEqual({ r: 6, p: 1, d: 0, e: 1, c: 1, m: 1, '-': 2 })
  expect(computeMatrixCompleteness(rows)).toBe(0.8)
  expect(computeMatrixCompleteness([{ id: '4', label: '', cells: '----' }])).toBeNull()
  expect(getCellState(rows[0], 9)).toBe('-')
})

test('a rate is never rounded up to complete', () => {
  expect(formatCompleteness(0.99999)).toBe('99,9\u00a0%')
  expect(formatCompleteness(1)).toBe('100\u00a0%')
  expect(formatCompleteness(null)).toBe('–')
})

test('the summary says what is missing and where', () => {
  expect(describeMatrix(rows, 4)).toBe(
    '3\u00a0points sur 4\u00a0jours\u00a0: 80\u00a0% des journées attendues sont complètes\u00a0; ' +
      '1\u00a0journée manquante, 1\u00a0partielle, 1\u00a0estimée, 1\u00a0corrigée, sur 2\u00a0points.',
  )
  expect(describeMatrix([], 4)).toBe('0\u00a0point\u00a0: aucune donnée n’est attendue sur cette période.')
})

test('keys stay inside the grid', () => {
  expect(getNextCell({ row: 0, column: 0 }, 'ArrowUp', false, 3, 4)).toEqual({ row: 0, column: 0 })
  expect(getNextCell({ row: 0, column: 0 }, 'End', true, 3, 4)).toEqual({ row: 2, column: 3 })
  expect(getNextCell({ row: 2, column: 1 }, 'PageDown', false, 3, 4)).toEqual({ row: 2, column: 1 })
  expect(getNextCell({ row: 0, column: 0 }, 'x', false, 3, 4)).toBeNull()
})

test('only what is seen is drawn', () => {
  expect(computeVisibleRange(0, 480, 34, 1000)).toEqual({ first: 0, end: 19 })
  expect(computeVisibleRange(33_600, 480, 34, 1000)).toEqual({ first: 984, end: 1000 })
  expect(computeScroll(0, 400, 34, 20)).toBe(314)
  expect(computeScroll(400, 400, 34, 2)).toBe(68)
  expect(computeScroll(0, 400, 34, 2)).toBe(0)
})

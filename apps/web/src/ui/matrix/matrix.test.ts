import { expect, test } from 'vitest'
import {
  completeness,
  completenessText,
  counts,
  matrixSummary,
  nextCell,
  scrollFor,
  stateAt,
  visible,
} from './model.ts'

const rows = [
  { id: '1', label: 'Logement 1', cells: 'rrrr' },
  { id: '2', label: 'Logement 2', cells: 'recm' },
  { id: '3', label: 'Logement 3', cells: '--rp' },
]

test('states are counted, and what is not expected does not lower completeness', () => {
  expect(counts(rows)).toEqual({ r: 6, p: 1, d: 0, e: 1, c: 1, m: 1, '-': 2 })
  expect(completeness(rows)).toBe(0.8)
  expect(completeness([{ id: '4', label: '', cells: '----' }])).toBeNull()
  expect(stateAt(rows[0], 9)).toBe('-')
})

test('a rate is never rounded up to complete', () => {
  expect(completenessText(0.99999)).toBe('99,9\u00a0%')
  expect(completenessText(1)).toBe('100\u00a0%')
  expect(completenessText(null)).toBe('–')
})

test('the summary says what is missing and where', () => {
  expect(matrixSummary(rows, 4)).toBe(
    '3\u00a0points sur 4\u00a0jours\u00a0: 80\u00a0% des journées attendues sont complètes\u00a0; ' +
      '1\u00a0journée manquante, 1\u00a0partielle, 1\u00a0estimée, 1\u00a0corrigée, sur 2\u00a0points.',
  )
  expect(matrixSummary([], 4)).toBe('0\u00a0point\u00a0: aucune donnée n’est attendue sur cette période.')
})

test('keys stay inside the grid', () => {
  expect(nextCell({ row: 0, column: 0 }, 'ArrowUp', false, 3, 4)).toEqual({ row: 0, column: 0 })
  expect(nextCell({ row: 0, column: 0 }, 'End', true, 3, 4)).toEqual({ row: 2, column: 3 })
  expect(nextCell({ row: 2, column: 1 }, 'PageDown', false, 3, 4)).toEqual({ row: 2, column: 1 })
  expect(nextCell({ row: 0, column: 0 }, 'x', false, 3, 4)).toBeNull()
})

test('only what is seen is drawn', () => {
  expect(visible(0, 480, 34, 1000)).toEqual({ first: 0, end: 19 })
  expect(visible(33_600, 480, 34, 1000)).toEqual({ first: 984, end: 1000 })
  expect(scrollFor(0, 400, 34, 20)).toBe(314)
  expect(scrollFor(400, 400, 34, 2)).toBe(68)
  expect(scrollFor(0, 400, 34, 2)).toBe(0)
})

import { expect, test } from 'vitest'
import { getCheckboxState, listGapKeys, toCellKey, toggleKeys } from './matrix-model.ts'

const days = ['2026-11-01', '2026-11-02', '2026-11-03']
const row = { id: 'a', label: 'Logement 1', cells: 'mrp' }

test('only what is missing or partial can be ticked', () => {
  expect(listGapKeys(row, days)).toEqual([toCellKey('a', '2026-11-01'), toCellKey('a', '2026-11-03')])
  expect(listGapKeys({ ...row, cells: 'rec' }, days)).toEqual([])
})

test('a row is ticked whole, then not at all', () => {
  const keys = listGapKeys(row, days)
  const [first = ''] = keys
  const half = toggleKeys(new Set(), [first])
  expect(getCheckboxState(half, keys)).toEqual({ checked: false, mixed: true })
  const whole = toggleKeys(half, keys)
  expect(getCheckboxState(whole, keys)).toEqual({ checked: true, mixed: false })
  expect(toggleKeys(whole, keys).size).toBe(0)
  expect(getCheckboxState(new Set(), [])).toEqual({ checked: false, mixed: false })
})

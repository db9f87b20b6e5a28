import { expect, test } from 'vitest'
import { cellKey, flipped, gapsOf, share } from './selection.ts'

const days = ['2026-11-01', '2026-11-02', '2026-11-03']
const row = { id: 'a', label: 'Logement 1', cells: 'mrp' }

test('only what is missing or partial can be ticked', () => {
  expect(gapsOf(row, days)).toEqual([cellKey('a', '2026-11-01'), cellKey('a', '2026-11-03')])
  expect(gapsOf({ ...row, cells: 'rec' }, days)).toEqual([])
})

test('a row is ticked whole, then not at all', () => {
  const keys = gapsOf(row, days)
  const [first = ''] = keys
  const half = flipped(new Set(), [first])
  expect(share(half, keys)).toEqual({ checked: false, mixed: true })
  const whole = flipped(half, keys)
  expect(share(whole, keys)).toEqual({ checked: true, mixed: false })
  expect(flipped(whole, keys).size).toBe(0)
  expect(share(new Set(), [])).toEqual({ checked: false, mixed: false })
})

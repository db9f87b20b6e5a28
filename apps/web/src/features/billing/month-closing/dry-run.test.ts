import { expect, test } from 'vitest'
import { compareDocuments } from './dry-run.tsx'

const one = (buyer: string, gross: number, wh: number, apart = false) => ({
  seller: { id: 's', name: 'Toiture' },
  buyer: { id: buyer, name: buyer },
  kind: 'invoice' as const,
  apart,
  lines: 1,
  wh,
  net: gross,
  tax: 0,
  gross,
  before: null,
  difference: null,
})

test('what stands beside what would be: only what differs, the largest first', () => {
  const standing = [one('a', 1003, 7013), one('b', 211, 1907), one('c', 97, 811), one('e', 13, 101)]
  const now = [one('a', 1003, 7013), one('b', 207, 1871), one('d', 41, 307), one('e', 13, 102)]
  const { rows, same, before, now: whole } = compareDocuments(standing, now)
  expect(rows.map(({ buyer, gross, wh }) => [buyer, gross, wh])).toEqual([
    ['c', -97, -811],
    ['d', 41, 307],
    ['b', -4, -36],
    ['e', 0, 1],
  ])
  expect([same, before, whole]).toEqual([1, 1324, 1264])
})

test('a fee that stands apart is another document', () => {
  expect(compareDocuments([one('a', 5, 0, true)], [one('a', 5, 0)]).rows).toHaveLength(2)
})

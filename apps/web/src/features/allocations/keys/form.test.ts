import { describe, expect, test } from 'vitest'
import {
  equalShares,
  formOf,
  type KeyForm,
  percentText,
  rankCell,
  readForm,
  readRank,
  readShare,
  shareCell,
  sumOf,
  WHOLE,
} from './form.ts'

const members = { consumers: [{ id: 'a' }, { id: 'b' }], producers: [{ id: 'p' }] }
const form = (change: Partial<KeyForm>): KeyForm => ({
  method: 'static',
  label: '',
  startsOn: '2026-01-01',
  decimals: 1,
  cells: {},
  ...change,
})

describe('what people type', () => {
  test('percents with a comma, a point or a sign are millionths', () => {
    expect(readShare('12,5')).toBe(125_000)
    expect(readShare(' 33.3333 % ')).toBe(333_333)
    expect(readShare('')).toBeUndefined()
    expect(readShare('101')).toBeNull()
    expect(readShare('douze')).toBeNull()
  })

  test('a rank is a whole number from 1', () => {
    expect(readRank('3')).toBe(3)
    expect(readRank('0')).toBeNull()
    expect(readRank('1,5')).toBeNull()
    expect(readRank(' ')).toBeUndefined()
  })
})

describe('shares', () => {
  test('equal ones make exactly one whole, whatever their number', () => {
    for (const count of [1, 3, 7, 119]) expect(equalShares(count).reduce((sum, share) => sum + share, 0)).toBe(WHOLE)
  })

  test('are told with the decimals they have', () => {
    expect(percentText(WHOLE)).toBe('100\u00a0%')
    expect(percentText(333_333)).toBe('33,3333\u00a0%')
    expect(percentText(5_000)).toBe('0,5\u00a0%')
  })
})

describe('a form', () => {
  test('gives back what a version held', () => {
    const shares = [
      { pointId: 'a', producerId: null, share: 600_000, rank: null },
      { pointId: 'b', producerId: null, share: 400_000, rank: null },
    ]
    const written = formOf({ ...form({}), shares })
    expect(readForm(written, members)).toEqual({ shares, wrong: [] })
    expect(sumOf(written.cells, [shareCell('a'), shareCell('b')])).toBe(WHOLE)
  })

  test('reads only what its method needs, and names what it cannot read', () => {
    const cells = { [shareCell('a')]: '120', [shareCell('a', 'p')]: '70', [rankCell('b')]: '2' }
    expect(readForm(form({ cells }), members)).toEqual({ shares: [], wrong: [shareCell('a')] })
    expect(readForm(form({ method: 'complete', cells }), members).shares).toEqual([
      { pointId: 'a', producerId: 'p', share: 700_000, rank: null },
    ])
    expect(readForm(form({ method: 'priority', cells }), members).shares).toEqual([
      { pointId: 'b', producerId: null, share: null, rank: 2 },
    ])
    expect(readForm(form({ method: 'equal', cells }), members).shares).toEqual([])
  })
})

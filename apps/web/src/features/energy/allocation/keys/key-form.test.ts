import { describe, expect, test } from 'vitest'
import {
  computeEqualShares,
  formatSharePercent,
  getRankCellName,
  getShareCellName,
  type KeyForm,
  parseKeyForm,
  parseRank,
  parseShare,
  sumTypedShares,
  toKeyForm,
  WHOLE_SHARE,
} from './key-form.ts'

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
    expect(parseShare('12,5')).toBe(125_000)
    expect(parseShare(' 33.3333 % ')).toBe(333_333)
    expect(parseShare('')).toBeUndefined()
    expect(parseShare('101')).toBeNull()
    expect(parseShare('douze')).toBeNull()
  })

  test('a rank is a whole number from 1', () => {
    expect(parseRank('3')).toBe(3)
    expect(parseRank('0')).toBeNull()
    expect(parseRank('1,5')).toBeNull()
    expect(parseRank(' ')).toBeUndefined()
  })
})

describe('shares', () => {
  test('equal ones make exactly one whole, whatever their number', () => {
    for (const count of [1, 3, 7, 119])
      expect(computeEqualShares(count).reduce((sum, share) => sum + share, 0)).toBe(WHOLE_SHARE)
  })

  test('are told with the decimals they have', () => {
    expect(formatSharePercent(WHOLE_SHARE)).toBe('100\u00a0%')
    expect(formatSharePercent(333_333)).toBe('33,3333\u00a0%')
    expect(formatSharePercent(5_000)).toBe('0,5\u00a0%')
  })
})

describe('a form', () => {
  test('gives back what a version held', () => {
    const shares = [
      { pointId: 'a', producerId: null, share: 600_000, rank: null },
      { pointId: 'b', producerId: null, share: 400_000, rank: null },
    ]
    const written = toKeyForm({ ...form({}), shares })
    expect(parseKeyForm(written, members)).toEqual({ shares, wrong: [] })
    expect(sumTypedShares(written.cells, [getShareCellName('a'), getShareCellName('b')])).toBe(WHOLE_SHARE)
  })

  test('reads only what its method needs, and names what it cannot read', () => {
    const cells = { [getShareCellName('a')]: '120', [getShareCellName('a', 'p')]: '70', [getRankCellName('b')]: '2' }
    expect(parseKeyForm(form({ cells }), members)).toEqual({ shares: [], wrong: [getShareCellName('a')] })
    expect(parseKeyForm(form({ method: 'complete', cells }), members).shares).toEqual([
      { pointId: 'a', producerId: 'p', share: 700_000, rank: null },
    ])
    expect(parseKeyForm(form({ method: 'priority', cells }), members).shares).toEqual([
      { pointId: 'b', producerId: null, share: null, rank: 2 },
    ])
    expect(parseKeyForm(form({ method: 'equal', cells }), members).shares).toEqual([])
  })
})

import type { BillingDocument } from '@voisol/money/document'
import type { MonthInput } from '@voisol/money/input'
import { computeMonthOutcome } from '@voisol/money/month'
import { describe, expect, test } from 'vitest'
import { type CorrectionTerms, computeCorrections } from './compute-corrections.ts'
import { buildRecomputationInput } from './correction-proposal.ts'

const day = (at: number, value: number) => {
  const days = new Array<number>(31).fill(0)
  days[at] = value
  return days
}
const member = (id: string, buyer: string) => ({ id, prm: id.padEnd(14, '7'), buyer, from: '2025-01-01', to: null })
const input = (a: number, b: number, price = 1237): MonthInput => ({
  month: '2026-05',
  resolutionWh: 1,
  sellers: [{ id: 's', vat: [{ from: '2020-01-01', to: null, mode: 'standard', rate: 2000 }] }],
  producers: [{ id: 'p', seller: 's' }],
  members: [member('1', 'ana'), member('2', 'bo')],
  cells: [
    { member: '1', producer: 'p', class: 'HPB', wattMinutes: day(3, a) },
    { member: '2', producer: 'p', class: 'HPB', wattMinutes: day(8, b) },
  ],
  distributor: [],
  tariffs: [{ from: '2025-01-01', to: null, rules: [{ id: 'r', price }] }],
  fees: [],
  discounts: [],
  accise: [],
})
const documents = (month: MonthInput): readonly BillingDocument[] => {
  const outcome = computeMonthOutcome(month)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues))
  return outcome.month.documents
}
const TERMS: CorrectionTerms = { thresholdCents: 50, left: new Set(), isOver: () => false, isBarred: () => false }
const kinds = (months: Parameters<typeof computeCorrections>[0], more: Partial<CorrectionTerms> = {}) =>
  computeCorrections(months, { ...TERMS, ...more }).map(({ corrections }) =>
    corrections.map(({ buyer, document, delta }) => [buyer, document, delta.gross]),
  )

describe('withheld cents', () => {
  const before = documents(input(1_234_567, 2_345_713))
  const small = documents(input(1_284_567, 2_345_713))

  test('withholds a few cents of one month, and bills those of two months', () => {
    const month = { month: '2026-05', standing: before, clean: small }
    expect(kinds([month])).toEqual([[['ana', 'held', 12]]])
    const months = Array.from({ length: 5 }, () => month)
    expect(
      kinds(months)
        .flat()
        .map(([, what]) => what),
    ).toEqual(new Array(5).fill('complement'))
  })

  test('bills the cents of a buyer who left at once, and keeps withholding the others', () => {
    const both = documents(input(1_284_567, 2_395_713))
    const month = { month: '2026-05', standing: before, clean: both }
    expect(kinds([month], { left: new Set(['ana']) })).toEqual([
      [
        ['bo', 'held', 12],
        ['ana', 'complement', 12],
      ],
    ])
  })

  test('bills the cents of a year at its end, of that buyer and that year only', () => {
    const isOver = (month: string) => month < '2026'
    const now = { month: '2026-05', standing: before, clean: documents(input(1_284_567, 2_395_713)) }
    // An unchanged month of last year uses none of this year's cents.
    const quiet = { month: '2025-12', standing: before, clean: before }
    expect(kinds([quiet, now], { isOver })).toEqual([
      [],
      [
        ['ana', 'held', 12],
        ['bo', 'held', 12],
      ],
    ])
    const late = { month: '2025-12', standing: before, clean: small }
    expect(kinds([late, now], { isOver })).toEqual([
      [['ana', 'complement', 12]],
      [
        ['ana', 'complement', 12],
        ['bo', 'held', 12],
      ],
    ])
  })

  test('claims nothing that is too old, but always gives credits', () => {
    const more = documents(input(3_234_567, 1_345_713))
    const month = { month: '2024-05', standing: before, clean: more }
    expect(kinds([month], { isBarred: () => true })[0]?.map(([buyer, what]) => [buyer, what])).toEqual([
      ['ana', 'barred'],
      ['bo', 'creditNote'],
    ])
  })
})

describe('recomputation of a month', () => {
  const indexed = (value: string): MonthInput => ({
    ...input(1_234_567, 2_345_713),
    tariffs: [
      {
        from: '2025-01-01',
        to: null,
        rules: [{ id: 'r', price: 1237, index: { base: '118.02', values: [{ from: '2026-01-01', value }] } }],
      },
    ],
  })

  test('ignores an index revised since the close', () => {
    const blended = buildRecomputationInput(indexed('121.37'), indexed('133.01'))
    expect(blended.tariffs[0]?.rules[0]?.index?.values).toEqual([{ from: '2026-01-01', value: '121.37' }])
  })

  test('applies a corrected tariff and corrected readings', () => {
    const blended = buildRecomputationInput(input(1_234_567, 2_345_713), input(1_300_001, 2_345_713, 1111))
    expect(blended.tariffs[0]?.rules[0]?.price).toBe(1111)
    expect(blended.cells[0]?.wattMinutes[3]).toBe(1_300_001)
  })

  test('keeps the group and power of billed members, and takes new members as today', () => {
    const [ana, bo] = [member('1', 'ana'), member('2', 'bo')]
    const before = { ...input(7, 9), members: [{ ...ana, group: 'social', kva: 6 }] }
    const now = {
      ...input(7, 9),
      members: [
        { ...ana, to: '2026-05-11', kva: 9 },
        { ...bo, group: 'g' },
      ],
    }
    expect(buildRecomputationInput(before, now).members).toEqual([
      { ...ana, to: '2026-05-11', group: 'social', kva: 6 },
      { ...bo, group: 'g' },
    ])
  })

  test('keeps the VAT mode that sellers had in the month', () => {
    const before = input(7, 9)
    const other = { id: 's2', vat: [] }
    const now = { ...before, sellers: [{ id: 's', vat: [] }, other] }
    expect(buildRecomputationInput(before, now).sellers).toEqual([...before.sellers, other])
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom, getPropertyRuns, randomMonth } from '../month/testing/random-months.ts'
import { computeOctoberBill } from '../month/testing/small-month.ts'
import { buildSalesRows, isBalanced } from './fec.ts'
import { computeProducerStatement } from './producer-statement.ts'
import { buildEReportingRows } from './tax-summaries.ts'

const documents = [
  { kind: 'invoice', wh: 1_234_567, net: 14_815, tax: 2_963, gross: 17_778 },
  { kind: 'invoice', wh: 765_432, net: 9_185, tax: 1_837, gross: 11_022 },
  { kind: 'creditNote', wh: 33_340, net: 400, tax: 80, gross: 480 },
] as const
const fee = {
  rate: 2_000,
  parts: [
    { kind: 'perKwh', price: 55 },
    { kind: 'percentNet', bp: 275 },
    { kind: 'fixed', amount: 990 },
  ],
} as const

test('a producer’s statement: sales less credit notes, fees, and the payout', () => {
  expect(computeProducerStatement({ documents, fee, collected: 17_778, brought: -321 })).toEqual({
    sales: { wh: 1_966_659, net: 23_600, tax: 4_720, gross: 28_320 },
    feeParts: [1_082, 649, 990],
    fee: { net: 2_721, tax: 544, gross: 3_265 },
    result: 25_055,
    payable: 14_192,
    payout: 14_192,
    carried: 0,
  })
})

test('a negative statement is carried over; without collection there is no payout', () => {
  expect(computeProducerStatement({ documents, fee, collected: 3_000, brought: 11 })).toMatchObject({
    payable: -254,
    payout: 0,
    carried: -254,
  })
  expect(computeProducerStatement({ documents, fee, collected: null, brought: 0 })).toMatchObject({
    payable: null,
    payout: 0,
    carried: 0,
  })
})

const booked = {
  kind: 'invoice' as const,
  lines: [
    { kind: 'energy' as const, net: 179 },
    { kind: 'accise' as const, net: 31 },
    { kind: 'fee' as const, net: 518 },
  ],
  allowances: [{ amount: 156 }],
  vat: [
    { category: 'S' as const, rate: 2_000, base: 440, tax: 88 },
    { category: 'S' as const, rate: 550, base: 132, tax: 7 },
  ],
  totals: { gross: 667 },
}

test('an invoice is booked, and a credit note on the opposite side', () => {
  const rows = buildSalesRows(booked, 'B2')
  expect(rows.map(({ account, aux, debit, credit }) => [account, aux, debit, credit])).toEqual([
    ['411000', 'B2', 667, 0],
    ['701000', '', 0, 23],
    ['706000', '', 0, 518],
    ['447000', '', 0, 31],
    ['445712000', '', 0, 88],
    ['445710550', '', 0, 7],
  ])
  const turned = buildSalesRows({ ...booked, kind: 'creditNote' }, 'B2')
  expect(turned).toEqual(rows.map((row) => ({ ...row, debit: row.credit, credit: row.debit })))
  expect([rows, turned].every(isBalanced)).toBe(true)
  expect(isBalanced(rows.slice(1))).toBe(false)
})

test('a negative part is booked on the opposite side, and no row is zero', () => {
  const rows = buildSalesRows(
    {
      ...booked,
      lines: [
        { kind: 'energy', net: -5 },
        { kind: 'fee', net: 9 },
      ],
      allowances: [],
      vat: [],
      totals: { gross: 4 },
    },
    'B2',
  )
  expect(rows).toEqual([
    { account: '411000', aux: 'B2', debit: 4, credit: 0 },
    { account: '701000', aux: '', debit: 5, credit: 0 },
    { account: '706000', aux: '', debit: 0, credit: 9 },
  ])
})

test('every document of a month is balanced', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (seed) => {
      for (const document of computeOctoberBill(randomMonth(createRandom(seed))).documents)
        for (const kind of ['invoice', 'creditNote'] as const)
          expect(isBalanced(buildSalesRows({ ...document, kind }, document.buyer))).toBe(true)
    }),
    getPropertyRuns(120),
  )
})

test('e-reporting: sales to private persons by seller, day, code and rate', () => {
  const vat = (rate: number, base: number, tax: number, category: 'S' | 'E' | 'O' = 'S') => ({
    category,
    rate,
    base,
    tax,
  })
  const sale = {
    seller: 'S1',
    buyerKind: 'person' as const,
    kind: 'invoice' as const,
    issued: '2026-11-05',
    services: false,
  }
  const rows = buildEReportingRows([
    { ...sale, issued: '2026-11-06', kind: 'creditNote', vat: [vat(2_000, 50, 10)] },
    { ...sale, vat: [vat(2_000, 333, 67), vat(550, 100, 6)] },
    { ...sale, vat: [vat(2_000, 1_000, 200)] },
    { ...sale, buyerKind: 'organisation', vat: [vat(2_000, 9_999, 2_000)] },
    { ...sale, services: true, vat: [vat(2_000, 500, 100)] },
    { ...sale, services: true, vat: [vat(0, 77, 0, 'O')] },
    { ...sale, vat: [vat(0, 777, 0, 'E')] },
  ])
  expect(
    rows.map(({ day, code, rate, base, tax, documents: count }) => [day.slice(8), code, rate, base, tax, count]),
  ).toEqual([
    ['05', 'TLB1', 550, 100, 6, 1],
    ['05', 'TLB1', 2_000, 1_333, 267, 2],
    ['05', 'TNT1', 0, 854, 0, 2],
    ['05', 'TPS1', 2_000, 500, 100, 1],
    ['06', 'TLB1', 2_000, -50, -10, 1],
  ])
})

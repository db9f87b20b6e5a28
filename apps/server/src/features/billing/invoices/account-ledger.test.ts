import { expect, test } from 'vitest'
import {
  buildPairAccounts,
  computeInvoiceTotals,
  computeOpenAmountsOfAccounts,
  type DocumentRow,
  getInvoiceState,
  sumDocuments,
} from './account-ledger.ts'

const row = (number: string, more: Partial<DocumentRow> = {}): DocumentRow => ({
  id: number,
  number,
  sellerId: 'S',
  buyerId: 'B',
  clientSellerId: null,
  kind: 'invoice',
  issuedOn: '2026-05-31',
  dueOn: '2026-06-15',
  gross: 1003,
  correctsId: null,
  ...more,
})

test('uses a credit note only for its own seller and buyer', () => {
  const rows = [
    row('1', { sellerId: 'T' }),
    row('2', { buyerId: 'C' }),
    row('3', { buyerId: null, clientSellerId: 'P' }),
    row('4', { kind: 'creditNote', gross: 407 }),
  ]
  expect([...computeOpenAmountsOfAccounts(buildPairAccounts(rows, [], [])).values()].sort()).toEqual([
    1003, 1003, 1003, 407,
  ])
})

test('leaves statements out of accounts', () => {
  const rows = [row('1', { kind: 'statement', gross: 311 }), row('2', { kind: 'complement' })]
  expect([...computeOpenAmountsOfAccounts(buildPairAccounts(rows, [], []))]).toEqual([['2', 1003]])
})

const received = { id: 'p', kind: 'receipt', amount: 1200, bookedOn: '2026-06-20' }
const pair = { sellerId: 'S', buyerId: 'B', clientSellerId: null }

test('counts stored matches, and shows pending ones as if stored', () => {
  const rows = [
    row('1'),
    row('2', { dueOn: '2026-07-15' }),
    row('3', { kind: 'creditNote', gross: 100, correctsId: '2' }),
  ]
  const stored = { id: 'm', debit: '2', credit: 'p', amount: 300, undoes: null }
  const open = computeOpenAmountsOfAccounts(buildPairAccounts(rows, [{ ...received, ...pair }], [stored]))
  expect(Object.fromEntries(open)).toEqual({ 1: 103, 2: 603, 3: 0, p: 0 })
})

test('uses money of one account only for that account', () => {
  const money = [{ ...received, ...pair, sellerId: 'T' }]
  expect(Object.fromEntries(computeOpenAmountsOfAccounts(buildPairAccounts([row('1')], money, [])))).toEqual({
    1: 1003,
    p: 1200,
  })
})

test.each([
  ['2026-06-15', 'notDue', 'due'],
  ['2026-06-16', 'upTo30', 'overdue'],
  ['2026-07-15', 'upTo30', 'overdue'],
  ['2026-07-16', 'upTo60', 'overdue'],
  ['2026-08-14', 'upTo60', 'overdue'],
  ['2026-08-15', 'over60', 'overdue'],
] as const)('on %s counts the open amount as %s and %s', (today, bucket, state) => {
  const standing = { kind: 'invoice', dueOn: '2026-06-15', open: 700, net: 836, tax: 167, gross: 1003 }
  expect(getInvoiceState(standing, today)).toBe(state)
  const totals = computeInvoiceTotals([{ ...standing, state: getInvoiceState(standing, today) }], today)
  expect(totals.ageing).toEqual({ notDue: 0, upTo30: 0, upTo60: 0, over60: 0, [bucket]: 700 })
  expect([totals.open, totals.overdue]).toEqual([700, state === 'overdue' ? 700 : 0])
})

test('subtracts credit notes from totals, and shows their open amount', () => {
  const invoice = {
    kind: 'invoice',
    dueOn: '2026-06-15',
    open: 0,
    net: 836,
    tax: 167,
    gross: 1003,
    state: 'settled' as const,
  }
  const credit = { ...invoice, kind: 'creditNote', open: 97, net: 250, tax: 50, gross: 300, state: 'credit' as const }
  expect(computeInvoiceTotals([invoice, credit], '2026-06-01')).toMatchObject({
    documents: 2,
    net: 586,
    tax: 117,
    gross: 703,
    open: 0,
    credit: 97,
  })
})

test('subtracts credit notes from a sum, and adds only the energy of statements', () => {
  const invoice = { kind: 'invoice', wh: 7013, net: 836, tax: 167, gross: 1003 }
  const credit = { kind: 'creditNote', wh: 211, net: 250, tax: 50, gross: 300 }
  const told = { kind: 'statement', wh: 917, net: 91, tax: 18, gross: 109 }
  expect(sumDocuments([invoice, credit, told])).toEqual({ wh: 7719, net: 586, tax: 117, gross: 703 })
})

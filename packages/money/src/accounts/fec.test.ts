import { expect, test } from 'vitest'
import { buildCells, buildMember, buildOctober, computeOctoberBill } from '../month/testing/small-month.ts'
import { buildMoveRows, type MoveKind } from './chart-of-accounts.ts'
import { checkFec, type FecEntry, formatCommaDecimals, formatFec, getFecFileName, isBalanced } from './fec.ts'
import { summarizeAccise, summarizeVat } from './tax-summaries.ts'

test.each<[MoveKind, string, string]>([
  ['payment', '512000 ', '411000 B2'],
  ['paymentReturned', '411000 B2', '512000 '],
  ['onlinePayment', '517000 ', '411000 B2'],
  ['advance', '512000 ', '419100 B2'],
  ['advanceUsed', '419100 B2', '411000 B2'],
  ['bankFee', '627000 ', '512000 '],
  ['collectedForProducer', '512000 ', '467000 B2'],
  ['paidToProducer', '467000 B2', '512000 '],
  ['feesSetOff', '467000 B2', '411000 B2'],
  ['writeOff', '654000 ', '411000 B2'],
])('%s: %s against %s', (kind, debited, credited) => {
  const rows = buildMoveRows(kind, 4_211, 'B2')
  expect(rows.map(({ account, aux }) => `${account} ${aux}`)).toEqual([debited, credited])
  expect(rows.map(({ debit, credit }) => [debit, credit])).toEqual([
    [4_211, 0],
    [0, 4_211],
  ])
  expect(isBalanced(rows)).toBe(true)
})

const entry = (number: number, day: string, changes: Partial<FecEntry> = {}): FecEntry => ({
  journal: { code: 'BQ', label: 'Banque' },
  number,
  day,
  piece: { ref: 'VIR\t12', day: '2026-11-03' },
  label: 'Règlement F-1',
  validated: '2026-11-30',
  rows: buildMoveRows('payment', 4_205, 'B2').map((row) => ({ ...row, accountLabel: 'Compte', auxLabel: '' })),
  ...changes,
})

test('eighteen columns, commas, days without dashes, and no tab inside a text', () => {
  const lettering = { code: 'AA', day: '2026-11-05' }
  const rows = entry(1, '2026-11-04').rows.map((row, at) => (at === 1 ? { ...row, lettering } : row))
  const [header, first, second, end] = formatFec([entry(1, '2026-11-04', { rows })]).split('\r\n')
  expect([header, first, second].map((line) => line?.split('\t').length)).toEqual([18, 18, 18])
  expect(first).toBe(
    'BQ\tBanque\t1\t20261104\t512000\tCompte\t\t\tVIR 12\t20261103\tRèglement F-1\t42,05\t0,00\t\t\t20261130\t\t',
  )
  expect(second).toBe(
    'BQ\tBanque\t1\t20261104\t411000\tCompte\tB2\t\tVIR 12\t20261103\tRèglement F-1\t0,00\t42,05\tAA\t20261105\t20261130\t\t',
  )
  expect(end).toBe('')
  expect([7, -105, 123_456].map(formatCommaDecimals)).toEqual(['0,07', '-1,05', '1234,56'])
  expect(getFecFileName('123456782', '2026-12-31')).toBe('123456782FEC20261231.txt')
})

test('reports each fault of a FEC file', () => {
  expect(checkFec([entry(1, '2026-11-04'), entry(2, '2026-11-04')])).toEqual([])
  const [half] = entry(1, '2026-11-04').rows
  const lettered = entry(4, '2026-11-02', {
    rows: half ? [{ ...half, aux: 'B2', lettering: { code: 'AA', day: '2026-11-05' } }] : [],
  })
  expect(checkFec([entry(1, '2026-11-04'), lettered])).toEqual([
    { code: 'unbalanced', journal: 'BQ', number: 4 },
    { code: 'gap', journal: 'BQ', number: 4, expected: 2 },
    { code: 'outOfOrder', journal: 'BQ', number: 4, day: '2026-11-02' },
    { code: 'openLettering', aux: 'B2', lettering: 'AA', cents: 4_205 },
  ])
})

test('declared VAT is the sum of the documents, not computed again', () => {
  const vat = [{ category: 'S' as const, rate: 2_000, base: 2, tax: 0 }]
  const other = [{ category: 'S' as const, rate: 550, base: 100, tax: 6 }]
  expect(
    summarizeVat([
      { kind: 'invoice', vat },
      { kind: 'complement', vat: [...other, ...vat] },
      { kind: 'creditNote', vat: [{ category: 'S', rate: 550, base: 30, tax: 2 }] },
    ]),
  ).toEqual([
    { category: 'S', rate: 2_000, base: 4, tax: 0 },
    { category: 'S', rate: 550, base: 70, tax: 4 },
  ])
})

test('accise is summed by class, with the zero-rated energy apart', () => {
  const { documents } = computeOctoberBill(
    buildOctober({
      producers: [
        { id: 'P1', seller: 'S1', accise: true },
        { id: 'P2', seller: 'S1' },
      ],
      members: [{ ...buildMember(1), acciseClass: 'menage' }],
      cells: [buildCells('M1', { 3: 222_667 }), buildCells('M1', { 3: 24_671 }, { producer: 'P2' })],
      accise: [{ class: 'menage', from: '2026-02-01', to: null, centsPerMwh: 3_085 }],
    }),
  )
  const rows = summarizeAccise(documents.map(({ lines }) => ({ kind: 'invoice', lines })))
  expect(rows).toEqual([
    { acciseClass: null, centsPerMwh: null, wh: 411, cents: 0 },
    { acciseClass: 'menage', centsPerMwh: 3_085, wh: 3_711, cents: 11 },
  ])
  const both = summarizeAccise(
    documents.flatMap(({ lines }) => (['invoice', 'creditNote'] as const).map((kind) => ({ kind, lines }))),
  )
  expect(both.map(({ wh, cents }) => [wh, cents])).toEqual([
    [0, 0],
    [0, 0],
  ])
})

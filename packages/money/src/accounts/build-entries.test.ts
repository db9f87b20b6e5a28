import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom, getPropertyRuns } from '../month/testing/random-months.ts'
import { type BookEntry, getFiscalYear, listMonthsBetween, moveToOpenPeriod, numberEntries } from './book-entries.ts'
import {
  buildAdvanceEntry,
  buildBankFeeEntry,
  buildCutoffEntries,
  buildDocumentEntry,
  buildDoubtfulClaimEntry,
  buildHolderEntry,
  buildMoneyEntry,
  buildOnlinePayoutEntry,
  buildPayoutEntry,
  buildReceivedPayoutEntry,
  buildSetOffEntry,
  type DocumentFact,
  type MoneyFact,
} from './build-entries.ts'
import { DEFAULT_CHART_OF_ACCOUNTS, getAccountLabel, JOURNALS } from './chart-of-accounts.ts'
import { checkFec, type FecEntry, isBalanced } from './fec.ts'
import { computeLetterings, formatLetteringCode } from './lettering.ts'
import { type RandomLedger, randomLedger } from './testing/random-ledger.ts'

const customer = { code: 'C7', name: 'Camille Roux' }
const organiser = { code: 'P1', name: 'Association' }
const toRowTuples = ({ rows }: BookEntry) => rows.map((row) => [row.account, row.aux, row.debit, row.credit])
const fact: MoneyFact = {
  id: 'p1',
  kind: 'receipt',
  cents: 4_211,
  day: '2026-11-04',
  ref: 'VIR 12',
  customer,
  place: 'bank',
  holder: null,
  advance: 0,
  small: 500,
  back: null,
}
const document: DocumentFact = {
  id: 'i1',
  kind: 'invoice',
  number: 'SOL2026-00042',
  issued: '2026-11-05',
  to: '2026-11-01',
  buyer: customer,
  lines: [
    { kind: 'energy', net: 1_730 },
    { kind: 'accise', net: 31 },
  ],
  allowances: [],
  vat: [{ category: 'S', rate: 2_000, base: 1_761, tax: 352 }],
  totals: { gross: 2_113 },
}

test('the part of a payment without a document is an advance, and a reversal restores both', () => {
  expect(toRowTuples(buildMoneyEntry({ ...fact, advance: 1_100 }, DEFAULT_CHART_OF_ACCOUNTS))).toEqual([
    ['512000', '', 4_211, 0],
    ['411000', 'C7', 0, 3_111],
    ['419100', 'C7', 0, 1_100],
  ])
  const back = buildMoneyEntry(
    { ...fact, id: 'p2', advance: 211, back: { id: 'p1', kind: 'return' } },
    DEFAULT_CHART_OF_ACCOUNTS,
  )
  expect(toRowTuples(back)).toEqual([
    ['512000', '', 0, 4_211],
    ['411000', 'C7', 4_000, 0],
    ['419100', 'C7', 211, 0],
  ])
  expect([back.journal, back.label]).toEqual(['bank', 'Rejet règlement Camille Roux'])
  expect(back.rows.map(({ item }) => item)).toEqual(['', 'p1', 'p1'])
})

test.each<[string, Partial<MoneyFact>, string, unknown[]]>([
  [
    'online',
    { place: 'online' },
    'bank',
    [
      ['517000', '', 4_211, 0],
      ['411000', 'C7', 0, 4_211],
    ],
  ],
  [
    'in cash',
    { place: 'cash' },
    'bank',
    [
      ['530000', '', 4_211, 0],
      ['411000', 'C7', 0, 4_211],
    ],
  ],
  [
    'in another’s hands',
    { holder: organiser },
    'misc',
    [
      ['467000', 'P1', 4_211, 0],
      ['411000', 'C7', 0, 4_211],
    ],
  ],
  [
    'set off',
    { place: 'setOff' },
    'misc',
    [
      ['467000', 'C7', 4_211, 0],
      ['411000', 'C7', 0, 4_211],
    ],
  ],
  [
    'given up',
    { kind: 'writeOff' },
    'misc',
    [
      ['654000', '', 4_211, 0],
      ['411000', 'C7', 0, 4_211],
    ],
  ],
  [
    'a few cents',
    { kind: 'writeOff', cents: 499 },
    'misc',
    [
      ['658000', '', 499, 0],
      ['411000', 'C7', 0, 499],
    ],
  ],
  [
    'five euros',
    { kind: 'writeOff', cents: 500 },
    'misc',
    [
      ['654000', '', 500, 0],
      ['411000', 'C7', 0, 500],
    ],
  ],
  [
    'a charge',
    { kind: 'charge' },
    'misc',
    [
      ['411000', 'C7', 4_211, 0],
      ['758000', '', 0, 4_211],
    ],
  ],
  [
    'taken over',
    { kind: 'openingDebit' },
    'misc',
    [
      ['411000', 'C7', 4_211, 0],
      ['471000', '', 0, 4_211],
    ],
  ],
  [
    'paid back',
    { kind: 'refund', advance: 4_211 },
    'bank',
    [
      ['512000', '', 0, 4_211],
      ['419100', 'C7', 4_211, 0],
    ],
  ],
])('books a movement of money: %s', (_, more, journal, rows) => {
  const entry = buildMoneyEntry({ ...fact, ...more }, DEFAULT_CHART_OF_ACCOUNTS)
  expect(entry.journal).toBe(journal)
  expect(toRowTuples(entry)).toEqual(rows)
})

test('the collector holds the money for the producer; a return takes it out again', () => {
  const producer = { code: 'P9', name: 'Toiture' }
  expect(toRowTuples(buildHolderEntry({ ...fact, holder: organiser }, producer, DEFAULT_CHART_OF_ACCOUNTS))).toEqual([
    ['512000', '', 4_211, 0],
    ['467000', 'P9', 0, 4_211],
  ])
  const out = buildHolderEntry(
    { ...fact, holder: organiser, back: { id: 'p0', kind: 'return' } },
    producer,
    DEFAULT_CHART_OF_ACCOUNTS,
  )
  expect(toRowTuples(out)[0]).toEqual(['512000', '', 0, 4_211])
  expect(toRowTuples(buildSetOffEntry({ ...fact, place: 'setOff' }, organiser, DEFAULT_CHART_OF_ACCOUNTS))).toEqual([
    ['401000', 'P1', 4_211, 0],
    ['467000', 'P1', 0, 4_211],
  ])
})

test('books a payout to a producer, and bank fees', () => {
  const payout = { id: 'o1', cents: 3_905, day: '2026-11-10', ref: 'REV-1', producer: customer, payer: organiser }
  expect(toRowTuples(buildPayoutEntry(payout, DEFAULT_CHART_OF_ACCOUNTS))).toEqual([
    ['467000', 'C7', 3_905, 0],
    ['512000', '', 0, 3_905],
  ])
  expect(toRowTuples(buildReceivedPayoutEntry(payout, DEFAULT_CHART_OF_ACCOUNTS))).toEqual([
    ['512000', '', 3_905, 0],
    ['467000', 'P1', 0, 3_905],
  ])
  const fee = { id: 'l1', cents: 350, day: '2026-11-10', ref: 'R1', label: '' }
  expect(toRowTuples(buildBankFeeEntry(fee, DEFAULT_CHART_OF_ACCOUNTS))).toEqual([
    ['627000', '', 350, 0],
    ['512000', '', 0, 350],
  ])
})

test('onlinePayoutEntry: what the provider kept is a bank fee, and the online account is cleared of both', () => {
  const payout = { id: 'o2', cents: 9_620, kept: 380, day: '2026-11-10', ref: 'PO-1', label: '' }
  const rows = [
    ['512000', '', 9_620, 0],
    ['627000', '', 380, 0],
    ['517000', '', 0, 10_000],
  ]
  expect(toRowTuples(buildOnlinePayoutEntry(payout, DEFAULT_CHART_OF_ACCOUNTS))).toEqual(rows)
  expect(toRowTuples(buildOnlinePayoutEntry({ ...payout, kept: 0 }, DEFAULT_CHART_OF_ACCOUNTS))).toEqual([
    rows[0],
    ['517000', '', 0, 9_620],
  ])
})

test.each([
  ['bankFeeEntry', 'Frais bancaires', buildBankFeeEntry],
  ['onlinePayoutEntry', 'Versement du prestataire en ligne', buildOnlinePayoutEntry],
])('%s: bears the label of the bank line, or says what it is where the bank gave none', (_, usual, toEntry) => {
  const line = { id: 'l1', cents: 350, kept: 10, day: '2026-11-10', ref: 'R1' }
  expect(toEntry({ ...line, label: '' }, DEFAULT_CHART_OF_ACCOUNTS).label).toBe(usual)
  expect(toEntry({ ...line, label: 'COTISATION CARTE' }, DEFAULT_CHART_OF_ACCOUNTS).label).toBe('COTISATION CARTE')
})

test('a doubtful claim is reclassified with a provision; lifting the doubt restores the accounts', () => {
  const doubt = { id: 'd1', invoiceId: 'i1', number: 'F-1', cents: 2_113, lost: 880, day: '2026-12-31', customer }
  const [entry, lifted] = [false, true].map((is) =>
    buildDoubtfulClaimEntry({ ...doubt, lifted: is }, DEFAULT_CHART_OF_ACCOUNTS),
  )
  expect(entry && toRowTuples(entry)).toEqual([
    ['416000', 'C7', 2_113, 0],
    ['411000', 'C7', 0, 2_113],
    ['681740', '', 880, 0],
    ['491000', '', 0, 880],
  ])
  expect(lifted && toRowTuples(lifted)[0]).toEqual(['416000', 'C7', 0, 2_113])
})

test('supplied in October, issued in November: accrued on the last day, reversed at issue', () => {
  const [accrued, back] = buildCutoffEntries(document, DEFAULT_CHART_OF_ACCOUNTS)
  expect([accrued?.day, back?.day]).toEqual(['2026-10-31', '2026-11-05'])
  expect(accrued && toRowTuples(accrued)).toEqual([
    ['418100', 'C7', 2_113, 0],
    ['701000', '', 0, 1_730],
    ['447000', '', 0, 31],
    ['445870', '', 0, 352],
  ])
  expect(back && toRowTuples(back)[0]).toEqual(['418100', 'C7', 0, 2_113])
  expect(buildCutoffEntries({ ...document, issued: '2026-10-31' }, DEFAULT_CHART_OF_ACCOUNTS)).toEqual([])
  expect(buildCutoffEntries({ ...document, kind: 'creditNote' }, DEFAULT_CHART_OF_ACCOUNTS)).toEqual([])
  expect(buildCutoffEntries({ ...document, to: '2026-10-16' }, DEFAULT_CHART_OF_ACCOUNTS)[0]?.day).toBe('2026-10-31')
})

test('an entry after the lock is booked on the first open day and keeps its document date', () => {
  const late = moveToOpenPeriod(buildDocumentEntry(document, DEFAULT_CHART_OF_ACCOUNTS), '2026-12-01')
  expect([late.day, late.piece.day]).toEqual(['2026-12-01', '2026-11-05'])
  expect(moveToOpenPeriod(buildDocumentEntry(document, DEFAULT_CHART_OF_ACCOUNTS), '2026-11-01').day).toBe('2026-11-05')
})

test('accounting years begin in the month of the entity', () => {
  expect(getFiscalYear('2026-11-05', 1)).toEqual({ from: '2026-01-01', to: '2027-01-01' })
  expect(getFiscalYear('2026-06-30', 7)).toEqual({ from: '2025-07-01', to: '2026-07-01' })
  expect(getFiscalYear('2026-07-01', 7)).toEqual({ from: '2026-07-01', to: '2027-07-01' })
  expect(listMonthsBetween('2026-11-30', '2027-02-01')).toEqual(['2026-11', '2026-12', '2027-01', '2027-02'])
})

test('accounts have their label, those of VAT their rate', () => {
  const labels = ['411000', '445712000', '445710550', '999'].map((account) =>
    getAccountLabel(account, DEFAULT_CHART_OF_ACCOUNTS),
  )
  expect(labels).toEqual(['Clients', 'TVA collectée 20 %', 'TVA collectée 5,5 %', '999'])
  expect([0, 25, 26, 675, 676].map(formatLetteringCode)).toEqual(['AA', 'AZ', 'BA', 'ZZ', 'AAA'])
})

function buildEntries({ documents, moneys, used }: RandomLedger): BookEntry[] {
  return [
    ...documents.map((one) => buildDocumentEntry(one, DEFAULT_CHART_OF_ACCOUNTS)),
    ...documents.flatMap((one) => buildCutoffEntries(one, DEFAULT_CHART_OF_ACCOUNTS)),
    ...moneys.map((one) => buildMoneyEntry(one, DEFAULT_CHART_OF_ACCOUNTS)),
    ...used.map((one) => buildAdvanceEntry(one, DEFAULT_CHART_OF_ACCOUNTS)),
  ]
}
/** Only matches that were not undone link two items. */
function listLinks({ matches }: RandomLedger): [string, string][] {
  const pairs = Map.groupBy(matches, ({ debit, credit }) => `${debit} ${credit}`)
  return [...pairs.values()]
    .filter((own) => own.reduce((sum, { cents }) => sum + cents, 0) !== 0)
    .flatMap(([first]): [string, string][] => (first ? [[first.debit, first.credit]] : []))
}
function buildFecEntries(ledger: RandomLedger): FecEntry[] {
  const entries = numberEntries(buildEntries(ledger), {})
  const rows = entries.flatMap((entry) => entry.rows.map((row) => Object.assign(row, { day: entry.day })))
  const letters = computeLetterings(rows, listLinks(ledger))
  return entries.map((entry) => ({
    ...entry,
    journal: JOURNALS[entry.journal],
    validated: '2027-01-12',
    rows: entry.rows.map((row) => {
      const lettering = letters.get(row as (typeof rows)[number]) // the same rows, dated above
      return {
        ...row,
        accountLabel: getAccountLabel(row.account, DEFAULT_CHART_OF_ACCOUNTS),
        ...(lettering && { lettering }),
      }
    }),
  }))
}
const sumBalance = (entries: readonly BookEntry[], accounts: string[]) =>
  entries
    .flatMap(({ rows }) => rows)
    .filter(({ account }) => accounts.includes(account))
    .reduce((sum, row) => sum + row.debit - row.credit, 0)

test('any ledger gives balanced, numbered and lettered entries; customer accounts equal open items', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (seed) => {
      const random = createRandom(seed)
      const ledger = randomLedger(random, 4 + random(36))
      const entries = buildEntries(ledger)
      expect(entries.every(({ rows }) => isBalanced(rows))).toBe(true)
      const fec = buildFecEntries(ledger)
      expect(checkFec(fec)).toEqual([])
      const items = [...ledger.items.values()]
      const open = items.reduce((sum, { side, open }) => sum + (side === 'debit' ? open : -open), 0)
      expect(sumBalance(entries, ['411000', '419100'])).toBe(open)
      if (items.length > 1 && items.every((item) => item.open === 0))
        for (const { rows } of fec)
          for (const row of rows) expect(row.aux === '' || row.lettering !== undefined, row.account).toBe(true)
    }),
    getPropertyRuns(2_000),
  )
})

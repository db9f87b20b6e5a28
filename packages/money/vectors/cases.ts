import { type ReportedDocument, reportRows } from '../src/accounts/e-reporting.ts'
import { type BookedDocument, salesEntry } from '../src/accounts/fec.ts'
import { type StatementInput, statementOf } from '../src/accounts/statement.ts'
import type { Every, Period } from '../src/calendar/days.ts'
import { apportionSum } from '../src/numbers/apportion.ts'
import { readRatio } from '../src/numbers/ratio.ts'
import { collectionOf, type DebitTerms } from '../src/payments/collection.ts'
import { type Dunning, dunningLevel } from '../src/payments/dunning.ts'
import { interestCents } from '../src/payments/interest.ts'
import { type OffsetItem, offset } from '../src/payments/offset.ts'
import { type OpenItem, type Payment, settle } from '../src/payments/settle.ts'
import { acciseCents, energyCents } from '../src/tariff/amounts.ts'
import { feeCents } from '../src/tariff/fees.ts'
import { indexedPrice } from '../src/tariff/index-price.ts'
import { type DaysInput, daysOf } from './days.ts'
import { type MonthCase, type RectifyCase, runMonth, runRectify } from './months.ts'

type IndexCase = { p0: number; i: string; i0: string; fixed_bp?: number; floor?: number; cap?: number }
type FeeCase = { amount: number; every: Every; active: [string, string | null]; spans: [string, string][] }

const runIndex = ({ p0, i, i0, fixed_bp, floor, cap }: IndexCase) => ({
  price: indexedPrice(p0, i, {
    base: i0,
    ...(fixed_bp === undefined ? {} : { fixedBp: fixed_bp }),
    ...(floor === undefined ? {} : { floor }),
    ...(cap === undefined ? {} : { cap }),
  }),
})

function runFee({ amount, every, active: [from, to], spans }: FeeCase) {
  const parts = spans.map(([start, end]): Period => ({ from: start, to: end }))
  const cents = parts.map((span) => feeCents({ amount, every }, { from, to }, span))
  return { cents, sum: cents.reduce((sum, part) => sum + part, 0) }
}

function runStatement(input: StatementInput) {
  const { sales, feeParts, fee, result, payable } = statementOf(input)
  return { sales, feeParts, fee, result, payable }
}

/** What each kind of the file is given, by its own name. */
type Inputs = {
  line: { wh: number; price: number }
  accise: { wh: number; centsPerMwh: number }
  apportion: { shares: string[] }
  index: IndexCase
  fee: FeeCase
  days: DaysInput
  collection: DebitTerms
  interest: { amount: number; spans: [number, number][] }
  month: MonthCase
  rectify: RectifyCase
  settle: { open: OpenItem[]; payment: Payment }
  offset: { items: OffsetItem[] }
  statement: StatementInput
  fec: { document: BookedDocument; aux: string }
  eReporting: { documents: ReportedDocument[] }
  dunning: Dunning
}
export type Kind = keyof Inputs
export type Case = { id: string; kind: string; input: unknown; expected?: unknown }

const RUNS: { [K in Kind]: (input: Inputs[K]) => unknown } = {
  line: ({ wh, price }) => ({ cents: energyCents(wh, price) }),
  accise: ({ wh, centsPerMwh }) => ({ cents: acciseCents(wh, centsPerMwh) }),
  apportion: ({ shares }) => apportionSum(shares.map(readRatio)),
  index: runIndex,
  fee: runFee,
  days: daysOf,
  collection: collectionOf,
  interest: ({ amount, spans }) => ({
    cents: interestCents(
      amount,
      spans.map(([days, rateBp]) => ({ days, rateBp })),
    ),
  }),
  month: runMonth,
  rectify: runRectify,
  settle: ({ open, payment }) => settle(open, payment),
  offset: ({ items }) => offset(items),
  statement: runStatement,
  fec: ({ document, aux }) => ({ rows: salesEntry(document, aux) }),
  eReporting: ({ documents }) => ({ rows: reportRows(documents) }),
  dunning: (input) => ({ level: dunningLevel(input) }),
}

export const KINDS = Object.keys(RUNS)

export function runCase({ kind, input }: Case): unknown {
  if (!KINDS.includes(kind)) return { unknownKind: kind }
  // The file says which kind each input is of; nothing else ties the two.
  const run = RUNS[kind as Kind] as (input: unknown) => unknown
  return run(input)
}

/** The whole file, or its cases alone. */
export function readCases(text: string): Case[] {
  const read: Case[] | { vectors: Case[] } = JSON.parse(text)
  return Array.isArray(read) ? read : read.vectors
}

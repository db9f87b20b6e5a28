import { buildEReportingRows, type EReportedDocument } from '../src/accounts/e-reporting.ts'
import { type BookedDocument, buildSalesRows } from '../src/accounts/fec.ts'
import { computeProducerStatement, type ProducerStatementInput } from '../src/accounts/statement.ts'
import type { Period, Periodicity } from '../src/calendar/days.ts'
import { apportionRoundedSum } from '../src/numbers/apportion.ts'
import { parseRatio } from '../src/numbers/ratio.ts'
import { computeCollection, type DebitTerms } from '../src/payments/collection.ts'
import { computeDunningLevel, type DunningInput } from '../src/payments/dunning.ts'
import { computeInterestCents } from '../src/payments/interest.ts'
import { type OffsetItem, offsetCreditNotes } from '../src/payments/offset.ts'
import { type IncomingPayment, type OpenItem, settleOpenItems } from '../src/payments/settle.ts'
import { computeAcciseCents, computeEnergyCents } from '../src/tariff/amounts.ts'
import { computeFeeCents } from '../src/tariff/fees.ts'
import { computeIndexedPrice } from '../src/tariff/index-price.ts'
import { type DaysInput, sumWattMinutesByDay } from './days.ts'
import { type MonthCase, type RectifyCase, runMonthCase, runRectifyCase } from './months.ts'

type IndexCase = { p0: number; i: string; i0: string; fixed_bp?: number; floor?: number; cap?: number }
type FeeCase = { amount: number; every: Periodicity; active: [string, string | null]; spans: [string, string][] }

const runIndex = ({ p0, i, i0, fixed_bp, floor, cap }: IndexCase) => ({
  price: computeIndexedPrice(p0, i, {
    base: i0,
    ...(fixed_bp === undefined ? {} : { fixedBp: fixed_bp }),
    ...(floor === undefined ? {} : { floor }),
    ...(cap === undefined ? {} : { cap }),
  }),
})

function runFee({ amount, every, active: [from, to], spans }: FeeCase) {
  const parts = spans.map(([start, end]): Period => ({ from: start, to: end }))
  const cents = parts.map((span) => computeFeeCents({ amount, every }, { from, to }, span))
  return { cents, sum: cents.reduce((sum, part) => sum + part, 0) }
}

function runStatement(input: ProducerStatementInput) {
  const { sales, feeParts, fee, result, payable } = computeProducerStatement(input)
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
  settle: { open: OpenItem[]; payment: IncomingPayment }
  offset: { items: OffsetItem[] }
  statement: ProducerStatementInput
  fec: { document: BookedDocument; aux: string }
  eReporting: { documents: EReportedDocument[] }
  dunning: DunningInput
}
export type VectorKind = keyof Inputs
export type VectorCase = { id: string; kind: string; input: unknown; expected?: unknown }

const RUN_BY_KIND: { [K in VectorKind]: (input: Inputs[K]) => unknown } = {
  line: ({ wh, price }) => ({ cents: computeEnergyCents(wh, price) }),
  accise: ({ wh, centsPerMwh }) => ({ cents: computeAcciseCents(wh, centsPerMwh) }),
  apportion: ({ shares }) => apportionRoundedSum(shares.map(parseRatio)),
  index: runIndex,
  fee: runFee,
  days: sumWattMinutesByDay,
  collection: computeCollection,
  interest: ({ amount, spans }) => ({
    cents: computeInterestCents(
      amount,
      spans.map(([days, rateBp]) => ({ days, rateBp })),
    ),
  }),
  month: runMonthCase,
  rectify: runRectifyCase,
  settle: ({ open, payment }) => settleOpenItems(open, payment),
  offset: ({ items }) => offsetCreditNotes(items),
  statement: runStatement,
  fec: ({ document, aux }) => ({ rows: buildSalesRows(document, aux) }),
  eReporting: ({ documents }) => ({ rows: buildEReportingRows(documents) }),
  dunning: (input) => ({ level: computeDunningLevel(input) }),
}

export const VECTOR_KINDS = Object.keys(RUN_BY_KIND)

export function runVectorCase({ kind, input }: VectorCase): unknown {
  if (!VECTOR_KINDS.includes(kind)) return { unknownKind: kind }
  // The file says which kind each input is of; nothing else ties the two.
  const run = RUN_BY_KIND[kind as VectorKind] as (input: unknown) => unknown
  return run(input)
}

/** The whole file, or its cases alone. */
export function parseVectorCases(text: string): VectorCase[] {
  const read: VectorCase[] | { vectors: VectorCase[] } = JSON.parse(text)
  return Array.isArray(read) ? read : read.vectors
}

import { dayOf } from '@voisol/energy/calendar'
import { type BookedDocument, buildSalesRows } from '../src/accounts/fec.ts'
import { computeProducerStatement, type ProducerStatementInput } from '../src/accounts/producer-statement.ts'
import { buildEReportingRows, type EReportedDocument } from '../src/accounts/tax-summaries.ts'
import { daysBetween, getMonthPeriod, type Period, type Periodicity } from '../src/calendar/days.ts'
import { type Correction, type RectificationResult, rectifyMonth } from '../src/corrections/rectify.ts'
import type { BillingDocument } from '../src/documents/document.ts'
import type { DocumentLine, VatRate } from '../src/documents/document-lines.ts'
import type { MonthInput } from '../src/month/input.ts'
import { type BilledMonth, computeMonthOutcome, type MonthOutcome, recomputeMonth } from '../src/month/month.ts'
import { apportionRoundedSum, parseRatio } from '../src/numbers/exact-numbers.ts'
import {
  computeCollection,
  computeDunningLevel,
  computeInterestCents,
  type DebitTerms,
  type DunningInput,
} from '../src/payments/collection.ts'
import {
  type IncomingPayment,
  type OffsetItem,
  type OpenItem,
  offsetCreditNotes,
  settleOpenItems,
} from '../src/payments/settlement.ts'
import { computeAcciseCents, computeEnergyCents } from '../src/tariff/amounts.ts'
import { computeFeeCents } from '../src/tariff/fees.ts'
import { computeIndexedPrice } from '../src/tariff/pricing-rules.ts'

type Cell = { member: string; producer: string; class: string; day: string; wmin: number }
/** A month as the file of vectors has it: a cell for each day. */
type MonthCase = Omit<MonthInput, 'cells' | 'distributor' | 'fees' | 'discounts' | 'accise'> &
  Partial<Pick<MonthInput, 'distributor' | 'fees' | 'discounts' | 'accise'>> & { cells?: Cell[] }
type RectifyCase = { before: MonthCase; after: MonthCase; thresholdCents: number; flush?: boolean }

function toMonthInput({ cells = [], ...rest }: MonthCase): MonthInput {
  const { from, to } = getMonthPeriod(rest.month)
  const length = daysBetween(from, to)
  const rows = Map.groupBy(cells, (cell) => JSON.stringify([cell.member, cell.producer, cell.class]))
  const gathered = [...rows.values()].flatMap((row) => {
    const [first] = row
    if (!first) return []
    const wattMinutes = new Float64Array(length)
    for (const { day, wmin } of row) {
      const at = daysBetween(from, day)
      if (at >= 0 && at < length) wattMinutes[at] = (wattMinutes[at] ?? 0) + wmin
    }
    return [{ member: first.member, producer: first.producer, class: first.class, wattMinutes }]
  })
  const { distributor = [], fees = [], discounts = [], accise = [] } = rest
  return { ...rest, distributor, fees, discounts, accise, cells: gathered }
}

const toVatFields = ({ category, rate }: VatRate) => ({ category, rate })

function toVectorLine(line: DocumentLine) {
  const { kind, prm, member, from, to, rule, liable, net } = line
  const wh = kind === 'fee' ? null : line.wh
  const price = kind === 'energy' ? line.price : null
  const accise = kind === 'accise' ? { centsPerMwh: line.centsPerMwh } : {}
  return { kind, prm, member, from, to, rule, liable, wh, price, net, ...accise, ...toVatFields(line) }
}

const toVectorDocument = ({ seller, buyer, document, lines, allowances, vat, totals }: BillingDocument) => ({
  seller,
  buyer,
  document,
  lines: lines.map(toVectorLine),
  allowances: allowances.map((each) => ({ id: each.id, amount: each.amount, ...toVatFields(each) })),
  vat,
  totals,
})

const toVectorMonth = ({ units, totalUnits, sources, documents }: BilledMonth) => ({
  members: Object.fromEntries(units),
  totalUnits,
  source: Object.fromEntries([...sources].map(([prm, source]) => [prm, source === 'distributor' ? source : 'ours'])),
  documents: documents.map(toVectorDocument),
})

const toRefusal = (outcome: MonthOutcome) => ({ refused: outcome.ok ? [] : outcome.issues })

function runMonthCase(input: MonthCase) {
  const outcome = computeMonthOutcome(toMonthInput(input))
  return outcome.ok ? toVectorMonth(outcome.month) : toRefusal(outcome)
}

function toVectorCorrection(correction: RectificationResult['corrections'][number]) {
  const { seller, buyer, document, delta } = correction
  return 'lines' in correction ? toVectorSentCorrection(correction) : { seller, buyer, document, delta }
}

const toVectorSentCorrection = ({
  seller,
  buyer,
  document,
  typeCode,
  lines,
  allowances,
  vat,
  totals,
  delta,
}: Correction) => ({
  seller,
  buyer,
  document,
  typeCode,
  lines: lines.map((line) => ({ ...toVectorLine(line), role: line.role })),
  allowances,
  vat,
  totals,
  delta,
})

function runRectifyCase({ before, after, thresholdCents, flush }: RectifyCase) {
  const input = toMonthInput(before)
  const first = computeMonthOutcome(input)
  if (!first.ok) return toRefusal(first)
  const second = recomputeMonth({ input, units: first.month.units }, toMonthInput(after))
  if (!second.ok) return toRefusal(second)
  const { documents: issued } = first.month
  const { corrections } = rectifyMonth({ issued, clean: second.month.documents, thresholdCents, flush: flush ?? false })
  return {
    before: toVectorMonth(first.month),
    after: toVectorMonth(second.month),
    corrections: corrections.map(toVectorCorrection),
  }
}

type DaysInput = { start: string; step: number; watts: (number | null)[] }

/** Watt-minutes by Paris day; a missing step is none, not zero. */
function sumWattMinutesByDay({ start, step, watts }: DaysInput): Record<string, number> {
  const first = Date.parse(start) / 60_000
  const days: Record<string, number> = {}
  for (const [at, value] of watts.entries()) {
    if (value === null) continue
    const day = dayOf(first + at * step)
    days[day] = (days[day] ?? 0) + value * step
  }
  return days
}

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
type VectorKind = keyof Inputs
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

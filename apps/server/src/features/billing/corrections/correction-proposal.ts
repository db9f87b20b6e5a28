import { createHash } from 'node:crypto'
import type { CorrectionCause, CorrectionSummary, ProposedChange } from '@voisol/contract/corrections'
import { daysBetween } from '@voisol/energy/calendar'
import {
  type Correction,
  type RectificationResult,
  sumDocumentWh,
  type UnsentCorrection,
} from '@voisol/money/corrections'
import { getMonthPeriod, intersectPeriods } from '@voisol/money/days'
import { type BillingDocument, getDocumentKey, joinDocuments } from '@voisol/money/document'
import type { MonthInput } from '@voisol/money/input'
import { and, desc, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, invoices } from '../../../db/schema/index.ts'
import { toCanonicalJson } from '../../../hash.ts'
import {
  type ClosedMonthRow,
  type ComputeContext,
  loadComputation,
  loadMonthSource,
  type MonthResult,
  type MonthSource,
  type StoredComputation,
  toStoredOutcome,
} from '../month-closing/index.ts'
import { loadBuyers, loadSellers } from '../parties/index.ts'
import { computeCorrections, loadCorrectionTerms, type MonthComparison } from './compute-corrections.ts'

type TariffVersions = MonthInput['tariffs']
type BilledRule = TariffVersions[number]['rules'][number]

/** An index revised later does not change billed amounts: its values stay those of the close. */
function keepIndexValues(now: TariffVersions, before: TariffVersions): TariffVersions {
  const known = new Map(before.flatMap(({ rules }) => rules.map((rule): [string, BilledRule] => [rule.id, rule])))
  return now.map((version) => ({
    ...version,
    rules: version.rules.map((rule) => {
      const values = known.get(rule.id)?.index?.values
      return rule.index && values ? { ...rule, index: { ...rule.index, values } } : rule
    }),
  }))
}

/** A member's pricing attributes stay as billed; new members are taken as they are today. */
function keepMemberPricing(now: MonthInput['members'], before: MonthInput['members']): MonthInput['members'] {
  const known = new Map(before.map((member) => [member.id, member]))
  return now.map((member) => {
    const { id, prm, buyer, from, to } = member
    const was = known.get(id)
    if (!was) return member
    const { group, kva, acciseClass } = was
    return {
      id,
      prm,
      buyer,
      from,
      to,
      ...(group === undefined ? {} : { group }),
      ...(kva === undefined ? {} : { kva }),
      ...(acciseClass === undefined ? {} : { acciseClass }),
    }
  })
}

const appendNew = <T extends { id: string }>(before: readonly T[], now: readonly T[]): T[] => {
  const known = new Set(before.map(({ id }) => id))
  return [...before, ...now.filter(({ id }) => !known.has(id))]
}

/** A billed month with today's data and the prices of that month (money.md §6.1). */
export const buildRecomputationInput = (before: MonthInput, now: MonthInput): MonthInput => ({
  ...now,
  month: before.month,
  resolutionWh: before.resolutionWh,
  sellers: appendNew(before.sellers, now.sellers),
  members: keepMemberPricing(now.members, before.members),
  tariffs: keepIndexValues(now.tariffs, before.tariffs),
  accise: before.accise,
  ...(before.acceptLastIndex === undefined ? {} : { acceptLastIndex: before.acceptLastIndex }),
})

const INPUT_PARTS: Record<Exclude<CorrectionCause, 'held' | 'cancelled'>, (input: MonthInput) => unknown> = {
  energy: ({ cells, producers }) => [
    producers,
    cells
      .map(({ member, producer, class: name, wattMinutes }) => [member, producer, name, Array.from(wattMinutes)])
      .filter(([, , , days]) => Array.isArray(days) && days.some((day) => day > 0))
      .sort((a, b) => (String(a) < String(b) ? -1 : 1)),
  ],
  quantities: ({ distributor }) => [...distributor].sort((a, b) => (toCanonicalJson(a) < toCanonicalJson(b) ? -1 : 1)),
  // Days outside the month do not count.
  members: ({ members, month }) => {
    const period = getMonthPeriod(month)
    const there = members.flatMap((member) => {
      const own = intersectPeriods(period, member)
      return own ? [{ ...member, from: own.from, to: own.to }] : []
    })
    return there.sort((a, b) => (a.id < b.id ? -1 : 1))
  },
  prices: ({ tariffs, fees, discounts }) => [tariffs, fees, discounts],
}

/** Inputs of a month that differ from when it was billed, in display order. */
function findCorrectionCauses(before: MonthInput, now: MonthInput): CorrectionCause[] {
  const names = Object.keys(INPUT_PARTS) as (keyof typeof INPUT_PARTS)[] // keys of a literal
  return names.filter((name) => toCanonicalJson(INPUT_PARTS[name](before)) !== toCanonicalJson(INPUT_PARTS[name](now)))
}

type DateRange = { from: string; to: string }

/** The periods of the invoices issued at close, shortest first: one month, or the 2, 3, 6 or 12 joined ones. */
async function loadInvoicePeriods(
  db: Db,
  { companyId, operationId }: ClosedMonthRow,
  range: DateRange,
): Promise<DateRange[]> {
  const periods = await db
    .selectDistinct({ from: invoices.from, to: invoices.to })
    .from(invoices)
    .innerJoin(
      billingComputations,
      and(eq(billingComputations.companyId, invoices.companyId), eq(billingComputations.id, invoices.computationId)),
    )
    .where(
      and(
        eq(invoices.companyId, companyId),
        eq(invoices.operationId, operationId),
        // Only the close: a correction has the period of what it corrects.
        eq(billingComputations.number, 1),
        lte(invoices.from, range.to),
        gt(invoices.to, range.from),
      ),
    )
  return periods.sort((a, b) => daysBetween(a.from, a.to) - daysBetween(b.from, b.to))
}

const isMonthInRange = ({ from, to }: DateRange, month: string) => from <= month && month < to

/** The months on the same invoice as this one, oldest first; only itself when it was invoiced alone. */
async function loadJoinedMonths(db: Db, row: ClosedMonthRow): Promise<ClosedMonthRow[]> {
  const [own] = await loadInvoicePeriods(db, row, { from: row.month, to: row.month })
  if (!own) return [row]
  const rows = await db
    .select()
    .from(billingMonths)
    .where(
      and(
        eq(billingMonths.companyId, row.companyId),
        eq(billingMonths.operationId, row.operationId),
        eq(billingMonths.status, 'issued'),
        inArray(billingMonths.month, listMonthStarts(own)),
      ),
    )
    .orderBy(billingMonths.month)
  const invoicePeriods = await loadInvoicePeriods(db, row, own)
  // A month invoiced alone before the others has the shorter period.
  return rows.filter(({ month }) => invoicePeriods.find((span) => isMonthInRange(span, month))?.from === own.from)
}

function listMonthStarts({ from, to }: DateRange): string[] {
  const months: string[] = []
  for (let day = Temporal.PlainDate.from(from); `${day}` < to; day = day.add({ months: 1 })) months.push(`${day}`)
  return months
}

/** Joins the months of one invoice into one document: its VAT is computed on the sum (money.md §5.1, §6.3). */
function joinMonths(parts: readonly MonthComparison[]): Pick<MonthComparison, 'standing' | 'clean'> {
  const join = (which: 'standing' | 'clean') => {
    const all = parts.flatMap((part) => part[which])
    return [...Map.groupBy(all, getDocumentKey).values()].flatMap((own) => joinDocuments(own) ?? [])
  }
  return { standing: join('standing'), clean: join('clean') }
}

type SellerAndBuyerNames = { sellers: ReadonlyMap<string, string>; buyers: ReadonlyMap<string, string> }
const indexByName = (documents: readonly BillingDocument[]) =>
  new Map(documents.map((each) => [getDocumentKey(each), each]))
const NO_DELTA = { net: 0, tax: 0, gross: 0 }

/** Each change of a month: the amount before, the difference, and the document it becomes. */
function buildProposedChanges(
  { month, standing, clean }: MonthComparison,
  rectified: RectificationResult,
  names: SellerAndBuyerNames,
): ProposedChange[] {
  const [before, after] = [indexByName(standing), indexByName(clean)]
  const change = (
    pair: BillingDocument | Correction | UnsentCorrection,
    becomes: ProposedChange['becomes'],
    delta = NO_DELTA,
  ) => ({
    month: `${month}-01`,
    sellerId: pair.seller,
    seller: names.sellers.get(pair.seller) ?? '',
    buyerId: pair.buyer,
    buyer: names.buyers.get(pair.buyer) ?? '',
    becomes,
    whBefore: sumDocumentWh(before.get(getDocumentKey(pair))),
    whAfter: sumDocumentWh(after.get(getDocumentKey(pair))),
    delta,
  })
  return [
    ...rectified.corrections.map((each) => change(each, each.document, each.delta)),
    ...rectified.reissued.map((each) => change(each, 'reissued')),
  ]
}

const sumFigure = (changes: readonly ProposedChange[], figure: (change: ProposedChange) => number) =>
  changes.reduce((sum, change) => sum + figure(change), 0)

function summarizeChanges(changes: readonly ProposedChange[]): CorrectionSummary {
  const only = (becomes: ProposedChange['becomes']) => changes.filter((change) => change.becomes === becomes)
  const sent = [...only('creditNote'), ...only('complement')]
  const waiting = (becomes: 'held' | 'barred') => ({
    buyers: new Set(only(becomes).map(({ buyerId }) => buyerId)).size,
    gross: sumFigure(only(becomes), ({ delta }) => delta.gross),
  })
  return {
    delta: {
      net: sumFigure(sent, ({ delta }) => delta.net),
      tax: sumFigure(sent, ({ delta }) => delta.tax),
      gross: sumFigure(sent, ({ delta }) => delta.gross),
    },
    creditNotes: only('creditNote').length,
    complements: only('complement').length,
    reissued: only('reissued').length,
    held: waiting('held'),
    barred: waiting('barred'),
    wh: sumFigure(changes, ({ whAfter, whBefore }) => whAfter - whBefore),
  }
}

/** A month of the proposal: its issued documents, its last computation, and its result with today's data. */
export type CorrectedMonth = Omit<MonthComparison, 'parts'> & {
  row: ClosedMonthRow
  last: StoredComputation
  /** What is stored as the month's next computation. */
  next: MonthResult
}
/** The months of one invoice, judged as one document. */
export type CorrectedGroup = Omit<MonthComparison, 'parts'> & { parts: CorrectedMonth[]; judged: RectificationResult }
export type CorrectionProposal = {
  /** Starts with the group of the recomputed month. */
  groups: CorrectedGroup[]
  causes: CorrectionCause[]
  changes: ProposedChange[]
  summary: CorrectionSummary
  /** A hash of exactly what is shown, to detect changes before issuing. */
  seal: string
}

/** The documents in force: those of the close, or of the last correction. */
export const getStandingDocuments = ({ outcome }: Pick<StoredComputation, 'outcome'>) =>
  outcome.standing ?? outcome.documents

const toMonth = (row: ClosedMonthRow) => row.month.slice(0, 7)

/** The months of the operation whose last computation has withheld cents. */
async function loadWaitingMonths(db: Db, row: ClosedMonthRow): Promise<ClosedMonthRow[]> {
  const lasts = db
    .selectDistinctOn([billingComputations.monthId], {
      monthId: billingComputations.monthId,
      waiting: sql<boolean>`${billingComputations.totals} ->> 'waiting' = 'true'`.as('waiting'),
    })
    .from(billingComputations)
    .where(eq(billingComputations.companyId, row.companyId))
    .orderBy(billingComputations.monthId, desc(billingComputations.number))
    .as('lasts')
  const rows = await db
    .select({ month: billingMonths })
    .from(billingMonths)
    .innerJoin(lasts, eq(lasts.monthId, billingMonths.id))
    .where(
      and(
        eq(billingMonths.companyId, row.companyId),
        eq(billingMonths.operationId, row.operationId),
        eq(billingMonths.status, 'issued'),
        ne(billingMonths.id, row.id),
        sql`lasts.waiting`,
      ),
    )
    .orderBy(billingMonths.month)
  return rows.map(({ month }) => month)
}

/** Whether the last event of the month was the cancellation of one of its invoices. */
const isCancelled = ({ cause }: StoredComputation) => cause === 'cancellation'

type RecomputedMonth = { causes: CorrectionCause[]; month: CorrectedMonth }

/** The last computation of a billed month, and the data it would be computed from now. */
export type RecomputationSource = { row: ClosedMonthRow; last: StoredComputation; now: MonthSource }

export async function loadRecomputationSource(db: Db, row: ClosedMonthRow): Promise<RecomputationSource> {
  const last = await loadComputation(db, row, 'last')
  const { acceptLastIndex } = last.input
  return {
    row,
    last,
    now: await loadMonthSource(db, row.companyId, row.operationId, toMonth(row), { acceptLastIndex }),
  }
}

/** The month with today's data, or nothing when it cannot be computed; the checklist of a close gives the reasons. */
export async function recomputeBilledMonth(
  ctx: ComputeContext,
  { row, last, now }: RecomputationSource,
): Promise<RecomputedMonth | undefined> {
  const { companyId } = row
  const input: MonthInput = buildRecomputationInput(last.input, now.input)
  const before = { input: last.input, units: last.outcome.units }
  const { outcome, daily } = await ctx.compute(
    'corrections.month',
    { before, now: input },
    { companyId, signal: ctx.signal },
  )
  if (!outcome.ok) return undefined
  const next = { input, frame: now.frame, outcome: toStoredOutcome(outcome.month, daily) }
  const month = {
    row,
    last,
    next,
    month: toMonth(row),
    standing: getStandingDocuments(last),
    clean: outcome.month.documents,
  }
  const causes = findCorrectionCauses(last.input, input)
  return { causes: isCancelled(last) ? [...causes, 'cancelled'] : causes, month }
}

async function loadUnchangedMonth(db: Db, row: ClosedMonthRow): Promise<CorrectedMonth> {
  const last = await loadComputation(db, row, 'last')
  return {
    row,
    last,
    next: last,
    month: toMonth(row),
    standing: getStandingDocuments(last),
    clean: last.outcome.documents,
  }
}

type MonthGroup = Omit<CorrectedGroup, 'judged'>

/** The month with the others on its invoice, each as last computed. */
export async function loadMonthGroup(db: Db, month: CorrectedMonth): Promise<MonthGroup> {
  const rows = await loadJoinedMonths(db, month.row)
  if (rows.length < 2) return { month: month.month, standing: month.standing, clean: month.clean, parts: [month] }
  const parts: CorrectedMonth[] = []
  for (const row of rows) parts.push(row.id === month.row.id ? month : await loadUnchangedMonth(db, row))
  return { month: month.month, ...joinMonths(parts), parts }
}

/** The month with the others on its invoice, all as issued so far. */
export const loadStandingGroup = async (db: Db, row: ClosedMonthRow): Promise<MonthGroup> =>
  loadMonthGroup(db, await loadUnchangedMonth(db, row))

/** The groups with withheld cents, each once. */
async function loadWaitingGroups(db: Db, row: ClosedMonthRow, first: MonthGroup): Promise<MonthGroup[]> {
  const groups: MonthGroup[] = []
  const known = new Set(first.parts.map((part) => part.row.id))
  for (const other of await loadWaitingMonths(db, row)) {
    if (known.has(other.id)) continue
    const group = await loadMonthGroup(db, await loadUnchangedMonth(db, other))
    for (const part of group.parts) known.add(part.row.id)
    groups.push(group)
  }
  return groups
}

export async function loadSellerAndBuyerNames(db: Db, companyId: number, months: readonly MonthComparison[]) {
  const pairs = months.flatMap(({ standing, clean }) => [...standing, ...clean])
  const buyers = await loadBuyers(db, companyId, [...new Set(pairs.map(({ buyer }) => buyer))])
  const sellers = await loadSellers(db, companyId)
  return {
    sellers: new Map(sellers.map(({ id, name }) => [id, name])),
    buyers: new Map([...buyers].map(([id, { name }]) => [id, name])),
  }
}

/**
 * The corrections that make the issued documents equal to a clean recomputation today, including cents withheld in
 * other months.
 */
export async function computeProposal(
  ctx: ComputeContext,
  db: Db,
  row: ClosedMonthRow,
): Promise<CorrectionProposal | undefined> {
  const found = await recomputeBilledMonth(ctx, await loadRecomputationSource(db, row))
  if (!found) return undefined
  const first = await loadMonthGroup(db, found.month)
  const groups = [first, ...(await loadWaitingGroups(db, row, first))]
  const groupCorrections = computeCorrections(groups, await loadCorrectionTerms(db, row.companyId, groups))
  const names = await loadSellerAndBuyerNames(db, row.companyId, groups)
  const corrected = groups.map((group, at): CorrectedGroup => {
    const own = groupCorrections[at]
    if (!own) throw new Error('each month is judged')
    return { ...group, judged: own }
  })
  const changes = corrected.flatMap((group) => buildProposedChanges(group, group.judged, names))
  const causes = found.causes.length > 0 ? found.causes : (['held'] as const)
  const seal = createHash('sha256').update(toCanonicalJson(changes)).digest('hex').slice(0, 32)
  return { groups: corrected, causes: [...causes], changes, summary: summarizeChanges(changes), seal }
}

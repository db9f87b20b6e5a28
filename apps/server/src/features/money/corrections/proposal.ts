import { createHash } from 'node:crypto'
import type { CorrectionCause, CorrectionSummary, ProposedChange } from '@voisol/contract/corrections'
import type { RectificationResult } from '@voisol/money/corrections'
import type { MonthInput } from '@voisol/money/input'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths } from '../../../db/schema/index.ts'
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
} from '../billing/billing.ts'
import { loadBuyers, loadSellers } from '../parties/parties.ts'
import { buildRecomputationInput } from './blend.ts'
import { findCorrectionCauses } from './causes.ts'
import { joinMonths, loadJoinedMonths } from './groups.ts'
import { computeCorrections, type MonthComparison } from './judge.ts'
import { buildProposedChanges, summarizeChanges } from './summary.ts'
import { loadCorrectionTerms } from './terms.ts'

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

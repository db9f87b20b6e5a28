import type { BillingMonth, ToBill } from '@voisol/contract/billing'
import type { MonthTotals } from '@voisol/contract/billing-documents'
import { addMonths, listDays, monthOf } from '@voisol/energy/calendar'
import { formatCount, formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, sql } from 'drizzle-orm'
import { type OperationRow, operationScope, requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { loadOperationTerms } from '../parties/index.ts'
import { loadOperationPrices } from '../tariffs/index.ts'
import { toClosedMonth } from './check-month.ts'
import type { ComputeContext } from './compute-month.ts'
import { computeMonthTotals, sumAmountsByBuyer } from './month-totals.ts'
import { loadOrComputeMonth } from './preview-month.ts'
import { countDocumentsBilledElsewhere, type MonthResult } from './stored-months.ts'

const MAX_LISTED_MONTHS = 120

type MonthCoverage = { month: string; days: number; stale: number; old: number }

/** By month: days covered by a run, how many of them are outdated, and runs whose days were not stored. */
async function loadCoverageByMonth(db: Db, { companyId, id }: OperationRow): Promise<Map<string, MonthCoverage>> {
  const { rows } = await db.execute<MonthCoverage>(sql`
    with held as (
      select company_id, run_id, date_trunc('month', day)::date as month, count(*)::int as days from allocation_coverage
       where company_id = ${companyId} and operation_id = ${id} group by 1, 2, 3)
    select h.month::text, sum(h.days)::int as days, coalesce(sum(h.days) filter (where r.stale_at is not null), 0)::int as stale,
           coalesce(sum(h.days) filter (where exists (
             select 1 from allocation_pairs p where p.company_id = h.company_id and p.run_id = h.run_id
                and p.month = h.month and p.days is null)), 0)::int as old
      from held h join allocation_runs r on r.company_id = h.company_id and r.id = h.run_id
     group by 1`)
  return new Map(rows.map((row) => [row.month, row]))
}

/** The first day with a consumption point in the operation. */
async function loadFirstDay(db: Db, { companyId, id, startsOn }: OperationRow): Promise<string | undefined> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select min(m.starts_on)::text as day from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id and p.direction = 'consumption'
     where m.company_id = ${companyId} and m.operation_id = ${id}`)
  const first = rows[0]?.day ?? undefined
  if (startsOn === null || first === undefined) return startsOn ?? first
  return startsOn > first ? startsOn : first
}

type Readiness = { covered: MonthCoverage | undefined; tariffs: readonly { from: string; to: string | null }[] }

/** The first obstacle in one sentence; the checklist gives the others. */
function describeFirstObstacle(from: string, to: string, begins: string, { covered, tariffs }: Readiness): string {
  if (to > getToday()) return `Le mois se clôt à partir du ${formatFrenchDay(to)}.`
  const expectedDays = listDays(from > begins ? from : begins, to)
  const missingDays = expectedDays.length - (covered?.days ?? 0)
  if (missingDays > 0) return `${formatCount(missingDays, 'jour n’a pas', 'jours n’ont pas')} de calcul de répartition.`
  if (covered?.old) return 'Le calcul de répartition est à refaire, pour son détail par jour.'
  const daysWithoutTariff = expectedDays.filter(
    (day) => !tariffs.some((own) => own.from <= day && (own.to === null || day < own.to)),
  )
  if (daysWithoutTariff.length)
    return `${formatCount(daysWithoutTariff.length, 'jour n’a pas', 'jours n’ont pas')} de tarif adopté.`
  return covered?.stale ? 'Un calcul de répartition n’est plus à jour.' : ''
}

async function loadClosedMonths(db: Db, { companyId, id }: OperationRow) {
  const rows = await db
    .select({ month: billingMonths, totals: billingComputations.totals })
    .from(billingMonths)
    .innerJoin(
      billingComputations,
      and(
        eq(billingComputations.companyId, billingMonths.companyId),
        eq(billingComputations.monthId, billingMonths.id),
      ),
    )
    .where(
      and(eq(billingMonths.companyId, companyId), eq(billingMonths.operationId, id), eq(billingComputations.number, 1)),
    )
  // The close wrote the totals in this shape.
  return new Map(rows.map(({ month, totals }) => [month.month, toClosedMonth(month, totals as MonthTotals)]))
}

const OPEN_MONTH = { totals: null, closedAt: null, closedBy: '', reason: '', issuedAt: null, issuedBy: '' }

/** Every month since the operation began, latest first. */
export async function listMonths(db: Db, operation: OperationRow): Promise<BillingMonth[]> {
  const begins = await loadFirstDay(db, operation)
  if (begins === undefined) return []
  const { tariffs } = await loadOperationPrices(db, operation.companyId, operation.id)
  const covered = await loadCoverageByMonth(db, operation)
  const stored = await loadClosedMonths(db, operation)
  const elsewhere = await countDocumentsBilledElsewhere(db, operation.companyId, operation.id)
  const months: BillingMonth[] = []
  const last = operation.endsOn !== null && operation.endsOn < getToday() ? operation.endsOn : getToday()
  for (
    let month = monthOf(last);
    month >= monthOf(begins) && months.length < MAX_LISTED_MONTHS;
    month = addMonths(month, -1)
  ) {
    const missing = describeFirstObstacle(month, addMonths(month, 1), begins, { covered: covered.get(month), tariffs })
    const state = elsewhere.has(month) ? 'elsewhere' : missing ? 'open' : 'ready'
    months.push(stored.get(month) ?? { ...OPEN_MONTH, month: month.slice(0, 7), state, missing })
  }
  return months
}

/** Each open month is computed like its preview, which is slow: more than a year of them is truncated. */
const MAX_COMPUTED_MONTHS = 12

type WaitingMonth = { operation: OperationRow; month: BillingMonth }
type State = ToBill['months'][number]['state']
const isWaiting = (state: BillingMonth['state']): state is State => state === 'ready' || state === 'closed'

/**
 * Months of the operation not invoiced yet, oldest first. Months before the first issued one were billed by another
 * program.
 */
async function loadWaitingMonths(db: Db, operation: OperationRow): Promise<WaitingMonth[]> {
  const months = await listMonths(db, operation)
  const first = months.findLastIndex(({ state }) => state === 'issued')
  if (first < 0 || (await loadOperationTerms(db, operation.companyId, operation.id)).patrimonial) return []
  return months
    .slice(0, first)
    .filter(({ state }) => isWaiting(state))
    .map((month) => ({ operation, month }))
    .reverse()
}

async function loadBilledOperations(db: Db, actor: Actor, operationId: string | undefined): Promise<OperationRow[]> {
  if (operationId) return [await requireVisibleOperation(db, actor, operationId)]
  const issued = sql`exists (select 1 from billing_months b where b.company_id = ${operations.companyId}
    and b.operation_id = ${operations.id} and b.status = 'issued')`
  return db
    .select()
    .from(operations)
    .where(and(operationScope(actor), eq(operations.companyId, actor.companyId), issued))
    .orderBy(sql`fold(${operations.name})`, operations.id)
}

const toUnbilledMonth = ({ operation, month }: WaitingMonth, stored: MonthResult): ToBill['months'][number] => {
  const { documents, wh, net, gross } = computeMonthTotals(stored)
  const { id, name } = operation
  return { operation: { id, name }, month: month.month, state: month.state as State, documents, wh, net, gross } // filtered above
}

const ZERO_AMOUNTS = { wh: 0, net: 0, gross: 0 }
const addAmounts = (a: typeof ZERO_AMOUNTS, b: typeof ZERO_AMOUNTS) => ({
  wh: a.wh + b.wh,
  net: a.net + b.net,
  gross: a.gross + b.gross,
})

/** What remains to invoice, by month and by buyer: as it was closed, or as its preview computes it today. */
export async function loadUnbilledMonths(
  computing: ComputeContext,
  db: Db,
  actor: Actor,
  operationId?: string,
): Promise<ToBill> {
  const found: WaitingMonth[] = []
  for (const operation of await loadBilledOperations(db, actor, operationId))
    found.push(...(await loadWaitingMonths(db, operation)))
  const waiting = found.sort((a, b) => (a.month.month < b.month.month ? -1 : 1))
  const months: ToBill['months'] = []
  const buyers = new Map<string, typeof ZERO_AMOUNTS>()
  for (const one of waiting.slice(0, MAX_COMPUTED_MONTHS)) {
    const wanted = { companyId: actor.companyId, operationId: one.operation.id, month: one.month.month }
    const stored = await loadOrComputeMonth(computing, db, wanted)
    if (!stored) continue
    months.push(toUnbilledMonth(one, stored))
    for (const [id, amount] of sumAmountsByBuyer(stored.outcome.documents))
      buyers.set(id, addAmounts(buyers.get(id) ?? ZERO_AMOUNTS, amount))
  }
  return {
    months,
    buyers: [...buyers].map(([id, amount]) => ({ id, ...amount })),
    total: [...buyers.values()].reduce(addAmounts, ZERO_AMOUNTS),
    more: waiting.length - months.length,
  }
}

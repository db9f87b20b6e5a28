import type { BillingMonth } from '@voisol/contract/billing'
import type { MonthTotals } from '@voisol/contract/billing-documents'
import { addMonths, listDays, monthOf } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths } from '../../../db/schema/index.ts'
import { formatCount, formatFrenchDay } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { loadOperationPrices } from '../tariffs/tariffs.ts'
import { toClosedMonth } from './check.ts'
import { countDocumentsBilledElsewhere } from './elsewhere.ts'

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

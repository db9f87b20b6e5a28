import type { BillingMonth } from '@voisol/contract/billing'
import type { MonthTotals } from '@voisol/contract/billing-documents'
import { addMonths, listDays, monthOf } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths } from '../../../db/schema/index.ts'
import { frenchDay, plural } from '../../../french.ts'
import { today } from '../../../today.ts'
import { pricesOf } from '../tariffs/tariffs.ts'
import { closedMonth } from './check.ts'
import { billedElsewhere } from './elsewhere.ts'

const MOST = 120

type Covered = { month: string; days: number; stale: number; old: number }

/** By month: days that a run holds, of those the stale ones, and those of runs whose days were not kept. */
async function coveredMonths(db: Db, { companyId, id }: OperationRow): Promise<Map<string, Covered>> {
  const { rows } = await db.execute<Covered>(sql`
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

/** The first day on which somebody draws in the operation. */
async function firstDay(db: Db, { companyId, id, startsOn }: OperationRow): Promise<string | undefined> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select min(m.starts_on)::text as day from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id and p.direction = 'consumption'
     where m.company_id = ${companyId} and m.operation_id = ${id}`)
  const first = rows[0]?.day ?? undefined
  if (startsOn === null || first === undefined) return startsOn ?? first
  return startsOn > first ? startsOn : first
}

type Standing = { covered: Covered | undefined; tariffs: readonly { from: string; to: string | null }[] }

/** In one sentence the first thing that stands in the way; the checklist knows the others. */
function missingIn(from: string, to: string, begins: string, { covered, tariffs }: Standing): string {
  if (to > today()) return `Le mois se clôt à partir du ${frenchDay(to)}.`
  const due = listDays(from > begins ? from : begins, to)
  const lacking = due.length - (covered?.days ?? 0)
  if (lacking > 0) return `${plural(lacking, 'jour n’a pas', 'jours n’ont pas')} de calcul de répartition.`
  if (covered?.old) return 'Le calcul de répartition est à refaire, pour son détail par jour.'
  const bare = due.filter((day) => !tariffs.some((own) => own.from <= day && (own.to === null || day < own.to)))
  if (bare.length) return `${plural(bare.length, 'jour n’a pas', 'jours n’ont pas')} de tarif adopté.`
  return covered?.stale ? 'Un calcul de répartition n’est plus à jour.' : ''
}

async function storedMonths(db: Db, { companyId, id }: OperationRow) {
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
  // Written by the close in this shape.
  return new Map(rows.map(({ month, totals }) => [month.month, closedMonth(month, totals as MonthTotals)]))
}

const OPEN = { totals: null, closedAt: null, closedBy: '', reason: '', issuedAt: null, issuedBy: '' }

/** Every month since the operation began, the latest first. */
export async function monthsOf(db: Db, operation: OperationRow): Promise<BillingMonth[]> {
  const begins = await firstDay(db, operation)
  if (begins === undefined) return []
  const { tariffs } = await pricesOf(db, operation.companyId, operation.id)
  const covered = await coveredMonths(db, operation)
  const stored = await storedMonths(db, operation)
  const elsewhere = await billedElsewhere(db, operation.companyId, operation.id)
  const months: BillingMonth[] = []
  const last = operation.endsOn !== null && operation.endsOn < today() ? operation.endsOn : today()
  for (let month = monthOf(last); month >= monthOf(begins) && months.length < MOST; month = addMonths(month, -1)) {
    const missing = missingIn(month, addMonths(month, 1), begins, { covered: covered.get(month), tariffs })
    const state = elsewhere.has(month) ? 'elsewhere' : missing ? 'open' : 'ready'
    months.push(stored.get(month) ?? { ...OPEN, month: month.slice(0, 7), state, missing })
  }
  return months
}

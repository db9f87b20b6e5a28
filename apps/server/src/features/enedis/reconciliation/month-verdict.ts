import type { DifferenceCause, ReconciledMonth, Verdict } from '@voisol/contract/reconciliation'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import { type MonthResult, reconcileMonths } from './reconcile-months.ts'
import { loadTolerance } from './reconciliation-context.ts'

/** Errors of the distributor: their cause is known, and they must be corrected before billing. */
const DISTRIBUTOR_MISTAKES = new Set<DifferenceCause>(['swapped-members', 'shifted-day', 'missing-class'])
const isDistributorMistake = ({ cause }: { cause: DifferenceCause }) => DISTRIBUTOR_MISTAKES.has(cause)

export function computeMonthVerdict({ scene, points }: MonthResult): Verdict {
  const both = points.some(({ ours, theirs }) => ours !== null && theirs !== null)
  if (!both || !scene.covered.length) return 'nothing-to-compare'
  if (points.some((point) => point.cause === 'unexplained' || isDistributorMistake(point))) return 'different'
  return points.every(({ cause }) => cause === 'equal' || cause === 'rounding') ? 'agreed' : 'explained'
}

/** Watt-hours, rounded to a thousandth here and nowhere before. */
export const wattMinutesToWh = (wattMinutes: number) => Math.round((wattMinutes * 1000) / 60) / 1000

function toReconciledMonth(result: MonthResult): ReconciledMonth {
  const { scene, points } = result
  const causes: Record<DifferenceCause, number> = {
    equal: 0,
    rounding: 0,
    'missing-data': 0,
    'key-version': 0,
    'membership-dates': 0,
    'swapped-members': 0,
    'shifted-day': 0,
    'missing-class': 0,
    unexplained: 0,
  }
  for (const { cause } of points) causes[cause]++
  // The shared energy of producers equals that of consumers: it is counted once.
  const consumers = points.filter(({ direction }) => direction === 'consumption')
  const counted = consumers.length ? consumers : points
  const sum = (side: 'ours' | 'theirs') => wattMinutesToWh(counted.reduce((all, point) => all + (point[side] ?? 0), 0))
  return {
    month: scene.month,
    verdict: computeMonthVerdict(result),
    runId: scene.covered.at(-1)?.runId ?? null,
    definitive: counted.length > 0 && counted.every(({ definitive }) => definitive),
    oursWh: sum('ours'),
    theirsWh: sum('theirs'),
    points: points.length,
    causes,
    checkedAt: new Date().toISOString(),
  }
}

export type MonthVerdict = {
  operationId: string
  month: string
  verdict: Verdict
  /** Points without a known cause, and points with a distributor error. */
  unexplained: number
  mistaken: number
}

/** The verdicts of operations for the last months with distributor data, oldest first. */
export async function loadRecentVerdicts(
  db: Db,
  companyId: number,
  operationIds: string[],
  count: number,
): Promise<MonthVerdict[]> {
  if (!operationIds.length) return []
  const { rows } = await db.execute<{ operationId: string; month: string }>(sql`
    select o.id as "operationId", date_trunc('month', greatest(d.day, q.day))::date::text as month
      from unnest(${sql.param(operationIds)}::uuid[]) o(id)
      left join lateral (
        select max(l.day) as day
          from (select distinct point_id from participations where company_id = ${companyId} and operation_id = o.id
                   and exists (select 1 from distributor_days where company_id = ${companyId} and operation_id = o.id)) p
         cross join lateral (
           select day from distributor_days where company_id = ${companyId} and operation_id = o.id
              and point_id = p.point_id and type = 'autocons' order by day desc limit 1) l) d on true
      left join lateral (
        select max(from_day) as day from distributor_quantities
         where company_id = ${companyId} and operation_id = o.id and type = 'autocons' and superseded_at is null) q on true
     where coalesce(d.day, q.day) is not null`)
  const asked = rows.map(({ operationId, month }) => ({
    operationId,
    from: addMonths(month, 1 - count),
    to: addMonths(month, 1),
  }))
  const results = asked.length ? await readSnapshot(db, (view) => reconcileMonths(view, companyId, asked)) : []
  return results.map(toMonthVerdict)
}

const toMonthVerdict = (result: MonthResult): MonthVerdict => ({
  operationId: result.scene.operationId,
  month: result.scene.month,
  verdict: computeMonthVerdict(result),
  unexplained: result.points.filter(({ cause }) => cause === 'unexplained').length,
  mistaken: result.points.filter(isDistributorMistake).length,
})

/** The verdict of an operation for one month; undefined when it was not in service. */
export async function loadMonthVerdict(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<MonthVerdict | undefined> {
  const asked = [{ operationId, from: month, to: addMonths(month, 1) }]
  const [result] = await readSnapshot(db, (view) => reconcileMonths(view, companyId, asked))
  return result && toMonthVerdict(result)
}

/** The verdict of each operation for its last month with distributor data. */
export async function loadLatestVerdicts(
  db: Db,
  companyId: number,
  operationIds: string[],
): Promise<Map<string, { month: string; verdict: Verdict }>> {
  const months = await loadRecentVerdicts(db, companyId, operationIds, 1)
  return new Map(months.map(({ operationId, month, verdict }) => [operationId, { month, verdict }]))
}

/** French law introduced collective self-consumption in 2017. */
const FIRST_MONTH = '2017-01-01'

/** Every month with data from the distributor, latest first. */
export async function listReconciledMonths(
  db: Db,
  companyId: number,
  operationId: string,
): Promise<{ toleranceWh: number; items: ReconciledMonth[] }> {
  const asked = { operationId, from: FIRST_MONTH, to: addMonths(monthOf(getToday()), 1) }
  const results = await readSnapshot(db, (view) => reconcileMonths(view, companyId, [asked]))
  return { toleranceWh: await loadTolerance(db, companyId), items: results.map(toReconciledMonth).reverse() }
}

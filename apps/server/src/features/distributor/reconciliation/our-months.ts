import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type OperationPeriod, toPeriodTable } from './asked.ts'

/** A current run that covers some days of a month. */
export type CoveringRun = {
  operationId: string
  month: string
  runId: string
  first: string
  last: string
  /** True when the run covers all its days of the month: its stored monthly totals can be used. */
  whole: boolean
  estimated: boolean
}
type MonthSum = { operationId: string; month: string; pointId: string; local: string }

export async function loadCoveringRuns(db: Db, companyId: number, periods: OperationPeriod[]): Promise<CoveringRun[]> {
  const { rows } = await db.execute<CoveringRun>(sql`
    select c.operation_id as "operationId", c.month::text, c.run_id as "runId", c.first::text, c.last::text, r.estimated,
           c.days = least(r.ends_on, (c.month + interval '1 month')::date) - greatest(r.starts_on, c.month) as whole
      from (select a.operation_id, date_trunc('month', a.day)::date as month, a.run_id, min(a.day) as first,
                   max(a.day) as last, count(*)::int as days
              from ${toPeriodTable(periods)}
              join allocation_coverage a on a.company_id = ${companyId} and a.operation_id = q.operation_id
               and a.day >= q.lo and a.day < q.hi
             group by 1, 2, 3) c
      join allocation_runs r on r.company_id = ${companyId} and r.id = c.run_id
     order by c.month, c.first`)
  return rows
}

/**
 * Watt-minutes per point and month from the current runs: the local consumption of a consumer, the shared production of
 * a producer.
 */
export async function loadAllocatedMonths(
  db: Db,
  companyId: number,
  covered: CoveringRun[],
): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  const add = (rows: MonthSum[]) => {
    for (const { operationId, month, pointId, local } of rows) {
      const key = getPointMonthKey(operationId, month, pointId)
      sums.set(key, (sums.get(key) ?? 0) + Number(local))
    }
  }
  const whole = covered.filter((run) => run.whole)
  const rest = covered.filter((run) => !run.whole)
  if (whole.length)
    add(
      (
        await db.execute<MonthSum>(sql`
          select q.operation_id as "operationId", q.month::text, t.point_id as "pointId", sum(t.local) as local
            from ${toRunTable(whole)} join allocation_totals t
              on t.company_id = ${companyId} and t.run_id = q.run_id and t.month = q.month
           group by 1, 2, 3`)
      ).rows,
    )
  if (rest.length)
    add(
      (
        await db.execute<MonthSum>(sql`
          select q.operation_id as "operationId", q.month::text, d.point_id as "pointId", sum(d.local) as local
            from ${toRunTable(rest)} join allocation_coverage c on c.company_id = ${companyId}
             and c.operation_id = q.operation_id and c.day >= q.first and c.day <= q.last and c.run_id = q.run_id
            join allocation_days d on d.company_id = ${companyId} and d.run_id = q.run_id and d.day = c.day
           group by 1, 2, 3`)
      ).rows,
    )
  return sums
}

export const getPointMonthKey = (operationId: string, month: string, pointId: string) =>
  `${operationId} ${month} ${pointId}`

const toRunTable = (runs: CoveringRun[]) => sql`unnest(
  ${sql.param(runs.map(({ operationId }) => operationId))}::uuid[], ${sql.param(runs.map(({ month }) => month))}::date[],
  ${sql.param(runs.map(({ runId }) => runId))}::uuid[], ${sql.param(runs.map(({ first }) => first))}::date[],
  ${sql.param(runs.map(({ last }) => last))}::date[]) as q(operation_id, month, run_id, first, last)`

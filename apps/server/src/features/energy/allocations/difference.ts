import type { Run } from '@voisol/contract/allocations'
import { sql } from 'drizzle-orm'
import { pointNameOnDaySql } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadAllocationRun } from './view.ts'

type DifferenceRow = {
  pointId: string
  label: string
  direction: 'consumption' | 'production'
  storage: boolean
  before: string
  after: string
}

/** The previous run: among earlier ones, the one that shares most days, definitive ones first. */
async function findPreviousRunId(db: Db, actor: Actor, run: Run): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from allocation_runs
     where company_id = ${actor.companyId} and operation_id = ${run.operationId} and status = 'done'
       and id <> ${run.id} and created_at < ${run.createdAt}
       and starts_on < ${run.to} and ends_on > ${run.from}
     order by least(ends_on, ${run.to}::date) - greatest(starts_on, ${run.from}::date) desc,
              (kind = 'definitive') desc, created_at desc, id
     limit 1`)
  return rows[0]?.id
}

/** Compares the runs point by point, over the days both cover. */
export async function compareWithPreviousRun(db: Db, actor: Actor, id: string) {
  const run = await loadAllocationRun(db, actor, id)
  const before = run.status === 'done' ? await findPreviousRunId(db, actor, run) : undefined
  if (!before) return { previous: null, items: [] }
  const previous = await loadAllocationRun(db, actor, before)
  const from = previous.from > run.from ? previous.from : run.from
  const to = previous.to < run.to ? previous.to : run.to
  const pointName = pointNameOnDaySql(actor.companyId, sql`p`, sql`${to}::date`, sql`${run.operationId}`)
  const { rows } = await db.execute<DifferenceRow>(sql`
    with sums as (
      select point_id, coalesce(sum(local) filter (where run_id = ${before}), 0) as before,
             coalesce(sum(local) filter (where run_id = ${id}), 0) as after
        from allocation_days
       where company_id = ${actor.companyId} and run_id in (${before}, ${id}) and day >= ${from} and day < ${to}
       group by 1)
    select p.id as "pointId", coalesce(nullif(${pointName}, ''), p.prm) as label, p.direction, p.storage, s.before, s.after
      from sums s join points p on p.company_id = ${actor.companyId} and p.id = s.point_id
     order by abs(s.after - s.before) desc, 2`)
  return {
    previous,
    items: rows.map(({ storage, ...row }) => ({
      ...row,
      ...(storage && { storage }),
      before: Number(row.before),
      after: Number(row.after),
    })),
  }
}

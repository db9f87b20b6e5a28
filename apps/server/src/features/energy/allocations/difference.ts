import type { Run } from '@voisol/contract/allocations'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { getRun } from './view.ts'

type Row = { pointId: string; label: string; direction: 'consumption' | 'production'; before: string; after: string }

/** The run that held before: of those made earlier, the one that shares most days, a definitive one first. */
async function previousId(db: Db, actor: Actor, run: Run): Promise<string | undefined> {
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

/** Point by point over the days that both runs cover. */
export async function runDifference(db: Db, actor: Actor, id: string) {
  const run = await getRun(db, actor, id)
  const before = run.status === 'done' ? await previousId(db, actor, run) : undefined
  if (!before) return { previous: null, items: [] }
  const previous = await getRun(db, actor, before)
  const from = previous.from > run.from ? previous.from : run.from
  const to = previous.to < run.to ? previous.to : run.to
  const { rows } = await db.execute<Row>(sql`
    select d.point_id as "pointId", coalesce(nullif(p.label, ''), p.prm) as label, p.direction,
           coalesce(sum(d.local) filter (where d.run_id = ${before}), 0) as before,
           coalesce(sum(d.local) filter (where d.run_id = ${id}), 0) as after
      from allocation_days d join points p on p.company_id = d.company_id and p.id = d.point_id
     where d.company_id = ${actor.companyId} and d.run_id in (${before}, ${id}) and d.day >= ${from} and d.day < ${to}
     group by d.point_id, p.label, p.prm, p.direction
     order by abs(coalesce(sum(d.local) filter (where d.run_id = ${id}), 0)
       - coalesce(sum(d.local) filter (where d.run_id = ${before}), 0)) desc, 2`)
  return {
    previous,
    items: rows.map((row) => ({ ...row, before: Number(row.before), after: Number(row.after) })),
  }
}

import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { enqueueRefreshOfMonths } from '../../energy/curves/curves.ts'

/** Computes new figures once a task has ended: a long task would otherwise request them after every batch. */
export async function requestRefreshOfEndedTasks(tx: Db, companyId: number, taskIds: string[]): Promise<void> {
  const { rows } = await tx.execute<{ taskId: string; pointId: string; month: string }>(sql`
    select distinct t.id as "taskId", d.point_id as "pointId", date_trunc('month', d.day)::date::text as month
      from sync_tasks t
      join (select distinct company_id, task_id, point_id from sync_windows
             where company_id = ${companyId} and task_id = any(${sql.param(taskIds)}::uuid[]) and point_id is not null) w
        on w.company_id = t.company_id and w.task_id = t.id
      join curve_days d on d.company_id = t.company_id and d.point_id = w.point_id and d.day >= t.from_day
       and d.day < t.to_day and d.superseded_at is null and d.source = 'enedis' and d.received_at >= t.started_at
     where t.company_id = ${companyId} and t.id = any(${sql.param(taskIds)}::uuid[]) and t.kind = 'load-curve'
       and t.finished_at is not null`)
  for (const [taskId, touched] of Map.groupBy(rows, (row) => row.taskId))
    await enqueueRefreshOfMonths(tx, companyId, touched, `${taskId} ended`)
}

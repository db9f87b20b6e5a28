import type { HealthJob } from '@voisol/contract/health'
import type { Db } from '../../../db/client.ts'
import { getJobLabel } from '../../../jobs/job-names.ts'
import { getNextCronDate } from './cron.ts'

const JOBS_QUERY = `
  select q.name, coalesce(s.cron, '') as cron,
         max(j.completed_on) filter (where j.state = 'completed') as "lastAt",
         count(j.id) filter (where j.state in ('created', 'retry', 'active'))::int as waiting,
         count(j.id) filter (where j.state = 'failed' and j.completed_on > now() - interval '1 day')::int as failed,
         coalesce(bool_or(j.state in ('created', 'retry') and j.start_after < now() - interval '5 minutes'), false) as late
    from jobs.queue q
    left join jobs.schedule s on s.name = q.name
    left join jobs.job j on j.name = q.name
   where q.name not like '\\_\\_pgboss%' and q.name <> 'dead-letter'
   group by q.name, s.cron order by q.name`

type Row = Omit<HealthJob, 'label' | 'lastAt' | 'nextAt'> & { lastAt: Date | null }

/** Every job: its last success, its next run, and its failures. */
export async function listHealthJobs({ $client }: Db, now: Date): Promise<HealthJob[]> {
  const { rows } = await $client.query<Row>(JOBS_QUERY)
  return rows.map((row) => ({
    ...row,
    label: getJobLabel(row.name),
    lastAt: row.lastAt?.toISOString() ?? null,
    nextAt: row.cron ? (getNextCronDate(row.cron, now)?.toISOString() ?? null) : null,
  }))
}

import { type Db, queryPrepared } from '../db/client.ts'

export function getCompanyIdOfJob(data: unknown): number | undefined {
  const companyId = typeof data === 'object' && data && 'companyId' in data ? data.companyId : undefined
  return typeof companyId === 'number' ? companyId : undefined
}

/** The position of the job to serve next, and of the last job of a company. Delayed jobs have no position. */
const JOB_PLACES_QUERY = `
  select (select -priority from jobs.job
           where name = $1 and state < 'active' and not blocked and start_after <= now()
           order by priority desc, created_on limit 1) as next,
         (select -priority from jobs.job
           where name = $1 and state < 'active' and data->>'companyId' = $2 and start_after <= now()
           order by priority limit 1) as last`

/**
 * Companies take turns (start-time fair queueing): a job gets the position after the last of its company, and never one
 * before the position being served. A company's single job is next however many another has sent, and nobody waits
 * forever. Two sent at the same moment may get the same position, served in order of arrival.
 */
export async function loadFairJobPlace(tx: Db, name: string, input: object, once: string | undefined): Promise<number> {
  const companyId = getCompanyIdOfJob(input)
  // A company's only job of that name needs no order among its own.
  if (companyId === undefined || once === String(companyId)) return 0
  const { rows } = await queryPrepared<{ next: number | null; last: number | null }>(
    tx,
    'job-places',
    JOB_PLACES_QUERY,
    [name, String(companyId)],
  )
  const { next = null, last = null } = rows[0] ?? {}
  return Math.max(next ?? 0, last === null ? 0 : last + 1)
}

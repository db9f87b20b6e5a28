import { type Db, queryPrepared } from '../db/client.ts'

export function getCompanyIdOfJob(data: unknown): number | undefined {
  const companyId = typeof data === 'object' && data && 'companyId' in data ? data.companyId : undefined
  return typeof companyId === 'number' ? companyId : undefined
}

/** The place of the job whose turn is next, and of the last one of a company. Those of a later moment stand in no line. */
const JOB_PLACES_QUERY = `
  select (select -priority from jobs.job
           where name = $1 and state < 'active' and not blocked and start_after <= now()
           order by priority desc, created_on limit 1) as next,
         (select -priority from jobs.job
           where name = $1 and state < 'active' and data->>'companyId' = $2 and start_after <= now()
           order by priority limit 1) as last`

/**
 * Companies take turns (start-time fair queueing): a job stands one place behind the last of its company, and never before
 * the place that is being served. One that comes alone is next however many another has sent, and nobody waits for ever.
 * Two that send at the same moment may be given the same place, which is served in the order of their coming.
 */
export async function loadFairJobPlace(tx: Db, name: string, input: object, once: string | undefined): Promise<number> {
  const companyId = getCompanyIdOfJob(input)
  // One that is alone of its company cannot stand before another of it.
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

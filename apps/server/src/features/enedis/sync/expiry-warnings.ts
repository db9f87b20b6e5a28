import type { EventData } from '@voisol/contract/events'
import { daysBetween } from '@voisol/energy/calendar'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { events } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Clock, getParisTime, SYSTEM_CLOCK } from './call-slots.ts'

/** Days before the end. */
const WARNING_DAYS = [7, 30, 60]
const [, , FIRST_WARNING_DAYS = 60] = WARNING_DAYS

type UpcomingExpiry = Pick<EventData<'expiry.approached'>, 'kind' | 'id' | 'participantId' | 'on'>

/** For each member of a running operation: the current consent, and the access at the distributor. */
async function listUpcomingExpiries(tx: Db, companyId: number, today: string): Promise<UpcomingExpiry[]> {
  const soon = sql`between ${today}::date and ${today}::date + ${FIRST_WARNING_DAYS}::int`
  const { rows } = await tx.execute<UpcomingExpiry>(sql`
    with running as (
      select p.participant_id, p.point_id from participations p
        join operations o on o.company_id = p.company_id and o.id = p.operation_id and o.status = 'active'
       where p.company_id = ${companyId} and (p.ends_on is null or p.ends_on > ${today})),
    held as (
      select distinct on (participant_id) * from consents
       where company_id = ${companyId} and purpose = 'collection' order by participant_id, given_at desc, created_at desc)
    select 'consent' as kind, c.id, n.id as "participantId", c.expires_on::text as on, n.name
      from held c join participants n on n.company_id = ${companyId} and n.id = c.participant_id
     where c.withdrawn_at is null and c.expires_on ${soon}
       and exists (select 1 from running r where r.participant_id = n.id)
    union
    select 'access', l.point_id, n.id, l.access_until::text, n.name
      from point_links l join running r on r.point_id = l.point_id
      join participants n on n.company_id = ${companyId} and n.id = r.participant_id
     where l.company_id = ${companyId} and l.blocked_at is null and l.access_until ${soon}
    order by 4, 5`)
  return rows
}

/** Each expiry is notified sixty, thirty and seven days before, once each. */
async function recordExpiries(tx: Db, { secrets }: Deps, companyId: number, today: string): Promise<void> {
  const by = { job: 'sync.expiries', secrets }
  const found = (await listUpcomingExpiries(tx, companyId, today)).map((ending) => {
    const left = daysBetween(today, ending.on)
    return { ...ending, left, warning: WARNING_DAYS.find((days) => left <= days) ?? FIRST_WARNING_DAYS }
  })
  for (const data of await filterNotRecorded(tx, companyId, found))
    await recordEvent(tx, { companyId, name: 'expiry.approached', object: data.id, data, by, once: getExpiryKey(data) })
}

type ExpiryEvent = EventData<'expiry.approached'>
const getExpiryKey = ({ kind, id, on, warning }: ExpiryEvent) => `${kind} ${id} ${on} ${warning}`

/** Leaves out expiries already notified, before the event log of the company is locked. */
async function filterNotRecorded(tx: Db, companyId: number, found: ExpiryEvent[]): Promise<ExpiryEvent[]> {
  if (!found.length) return []
  const ids = found.map(({ id }) => id)
  const recorded = await tx
    .select({ data: events.data })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.name, 'expiry.approached'), inArray(events.object, ids)))
  const known = new Set(recorded.map(({ data }) => getExpiryKey(data as ExpiryEvent))) // what was recorded above
  return found.filter((one) => !known.has(getExpiryKey(one)))
}

const listRunningCompanies = async (db: Db): Promise<number[]> => {
  const { rows } = await db.execute<{ id: number }>(
    sql`select distinct company_id as id from operations where status = 'active' order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Running again adds nothing. An error in one company must not stop the others. */
export async function recordAllExpiries(deps: Deps, clock: Clock = SYSTEM_CLOCK): Promise<void> {
  const { day } = getParisTime(clock.now())
  for (const companyId of await listRunningCompanies(deps.db))
    await transaction(scopeToCompany(deps.db, companyId), (tx) => recordExpiries(tx, deps, companyId, day)).catch(
      (err) => deps.log.error({ err, companyId }, 'the ends of a company were not told'),
    )
}

import type { EventData } from '@voisol/contract/events'
import { daysBetween } from '@voisol/energy/calendar'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { events } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { CLOCK, type Clock, parisAt } from './clock.ts'

/** Days before the end. */
const WARNINGS = [7, 30, 60]
const [, , FIRST = 60] = WARNINGS

type Ending = Pick<EventData<'expiry.approached'>, 'kind' | 'id' | 'participantId' | 'on'>

/** Of each participant in an operation that runs: the consent that holds, and the access at the distributor. */
async function endings(tx: Db, companyId: number, today: string): Promise<Ending[]> {
  const soon = sql`between ${today}::date and ${today}::date + ${FIRST}::int`
  const { rows } = await tx.execute<Ending>(sql`
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

/** Each end is told at sixty, thirty and seven days, once each. */
async function tellExpiries(tx: Db, { secrets }: Deps, companyId: number, today: string): Promise<void> {
  const by = { job: 'sync.expiries', secrets }
  const found = (await endings(tx, companyId, today)).map((ending) => {
    const left = daysBetween(today, ending.on)
    return { ...ending, left, warning: WARNINGS.find((days) => left <= days) ?? FIRST }
  })
  for (const data of await untold(tx, companyId, found))
    await record(tx, { companyId, name: 'expiry.approached', object: data.id, data, by, once: onceOf(data) })
}

type Found = EventData<'expiry.approached'>
const onceOf = ({ kind, id, on, warning }: Found) => `${kind} ${id} ${on} ${warning}`

/** What was told is left out before the company's events are held up. */
async function untold(tx: Db, companyId: number, found: Found[]): Promise<Found[]> {
  if (!found.length) return []
  const ids = found.map(({ id }) => id)
  const told = await tx
    .select({ data: events.data })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.name, 'expiry.approached'), inArray(events.object, ids)))
  const known = new Set(told.map(({ data }) => onceOf(data as Found))) // what was recorded above
  return found.filter((one) => !known.has(onceOf(one)))
}

const runningCompanies = async (db: Db): Promise<number[]> => {
  const { rows } = await db.execute<{ id: number }>(
    sql`select distinct company_id as id from operations where status = 'active' order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Run again, it says nothing more. One company's trouble is not the others'. */
export async function tellEveryExpiry(deps: Deps, clock: Clock = CLOCK): Promise<void> {
  const { day } = parisAt(clock.now())
  for (const companyId of await runningCompanies(deps.db))
    await transaction(forCompany(deps.db, companyId), (tx) => tellExpiries(tx, deps, companyId, day)).catch((err) =>
      deps.log.error({ err, companyId }, 'the ends of a company were not told'),
    )
}

import type { VisitChange } from '@voisol/contract/visits'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { portalVisits } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday, toParisDay } from '../../../today.ts'

/** Whoever comes back sooner is still on the same visit: what was new an hour ago is shown again. */
const VISIT_MS = 4 * 3_600_000

const isOwnVisit = ({ companyId, userId }: Actor) =>
  and(eq(portalVisits.companyId, companyId), eq(portalVisits.userId, userId))

const isVisitOver = (beganAt: Date, now: Date) => now.getTime() - beganAt.getTime() > VISIT_MS

/** Reading it changes nothing: a visit begins when the browser says so. */
export async function loadChangesSinceLastVisit(db: Db, actor: Actor, now = new Date()) {
  const [row] = await db.select().from(portalVisits).where(isOwnVisit(actor))
  if (!row) return { since: null, fresh: true, items: [] }
  const isNewVisit = isVisitOver(row.beganAt, now)
  const since = (isNewVisit ? row.beganAt : row.beforeAt)?.toISOString() ?? null
  return { since, fresh: isNewVisit, items: since ? await loadVisitChanges(db, actor, since) : [] }
}

/** Twice in the same visit changes nothing. */
export async function beginVisit(tx: Db, actor: Actor, now = new Date()): Promise<void> {
  const { companyId, userId } = actor
  const first = await tx
    .insert(portalVisits)
    .values({ companyId, userId, beganAt: now })
    .onConflictDoNothing()
    .returning({ beganAt: portalVisits.beganAt })
  if (first.length) return
  const [row] = await tx.select().from(portalVisits).where(isOwnVisit(actor)).for('update')
  if (!row || !isVisitOver(row.beganAt, now)) return
  await tx.update(portalVisits).set({ beganAt: now, beforeAt: row.beganAt }).where(isOwnVisit(actor))
}

type Kind = VisitChange['kind']
type Row = { count: number; day: string | null }

/** The seats that are one's own, from day to day. */
const selectOwnParticipations = (actor: Actor) => sql`
  select s.* from participations s where s.company_id = ${actor.companyId} and s.participant_id in ${participantIdsOfUser(actor)}`

/** Days of one's own meters, in the days of one's participation, that came in since. */
const selectNewReadings = (actor: Actor, since: string, which: SQL) => sql`
  select count(distinct d.day)::int as count, max(d.day)::text as day
    from (${selectOwnParticipations(actor)}) s join curve_days d on d.company_id = s.company_id and d.point_id = s.point_id
     and d.day >= s.starts_on and (s.ends_on is null or d.day < s.ends_on)
   where d.superseded_at is null and d.received_at > ${since}::timestamptz and ${which}`

/** Neighbours, counted and never named, of the operations that one is in today. */
const selectNeighbourChanges = (actor: Actor, from: string, edge: SQL) => sql`
  select count(distinct o.participant_id)::int as count, max(${edge})::text as day
    from participations o
   where o.company_id = ${actor.companyId} and ${edge} > ${from} and ${edge} <= ${getToday()}
     and o.operation_id in (select operation_id from (${selectOwnParticipations(actor)}) s
          where s.starts_on <= ${getToday()} and (s.ends_on is null or s.ends_on > ${getToday()}))
     and o.participant_id not in (select participant_id from (${selectOwnParticipations(actor)}) s)`

/** Somebody who adds a meter has not come, and one who keeps another has not left. */
const hasNoOtherParticipation = (other: SQL) => sql`not exists (select from participations k
   where k.company_id = o.company_id and k.operation_id = o.operation_id and k.participant_id = o.participant_id
     and k.id <> o.id and ${other})`

function buildChangeQueries(actor: Actor, since: string): Record<Kind, SQL> {
  const { companyId, userId } = actor
  const from = toParisDay(since)
  return {
    invoices: sql`
      select count(*)::int as count, max(i.issued_on)::text as day from invoices i
       where i.company_id = ${companyId} and i.issued_at > ${since}::timestamptz
         and i.buyer_id in ${participantIdsOfUser(actor)}`,
    answers: sql`
      select count(distinct t.id)::int as count, null as day
        from tickets t join ticket_messages m on m.company_id = t.company_id and m.ticket_id = t.id
       where t.company_id = ${companyId} and t.asker_id = ${userId} and t.desk = 'organiser'
         and m.side = 'desk' and m.held_from is null and m.created_at > ${since}::timestamptz`,
    readings: selectNewReadings(actor, since, sql`d.version = 1`),
    corrected: selectNewReadings(actor, since, sql`d.version > 1`),
    key: sql`
      select count(distinct k.id)::int as count, max(k.starts_on)::text as day
        from keys k join (${selectOwnParticipations(actor)}) s on s.operation_id = k.operation_id
       where k.company_id = ${companyId} and k.status = 'adopted' and k.starts_on > ${from} and k.starts_on <= ${getToday()}
         and (s.ends_on is null or s.ends_on > k.starts_on)`,
    joined: sql`${selectNeighbourChanges(actor, from, sql`o.starts_on`)} and ${hasNoOtherParticipation(sql`k.starts_on < o.starts_on`)}`,
    left: sql`${selectNeighbourChanges(actor, from, sql`o.ends_on`)}
      and ${hasNoOtherParticipation(sql`(k.ends_on is null or k.ends_on > o.ends_on)`)}`,
  }
}

/** What is new for somebody, each kind as one figure. */
async function loadVisitChanges(db: Db, actor: Actor, since: string): Promise<VisitChange[]> {
  const found: VisitChange[] = []
  for (const [kind, question] of Object.entries(buildChangeQueries(actor, since)) as [Kind, SQL][]) {
    // of the record above
    const { rows } = await db.execute<Row>(question)
    const { count = 0, day = null } = rows[0] ?? {}
    if (count > 0) found.push({ kind, count, day })
  }
  return found
}

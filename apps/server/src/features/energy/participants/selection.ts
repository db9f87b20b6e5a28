import type { Participant, ParticipantQuery } from '@voisol/contract/participants'
import { and, asc, count, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { findOperation } from '../../../core/operation.ts'
import { signInsOf } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy } from '../../../db/list.ts'
import { memberships, participants, participations, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { soon } from '../consents/consents.ts'
import { participantScope, participationScope } from './scope.ts'
import { collections, nameOrder, type Reach, standings } from './standing.ts'
import { bearsTag } from './tags.ts'

export type Query = z.output<typeof ParticipantQuery>

export const portal = sql<Participant['portal']['status']>`case when ${memberships.userId} is null then 'none'
  when ${memberships.disabledAt} is not null then 'disabled'
  when ${memberships.acceptedAt} is null then 'invited' else 'active' end`
/** `seen` is when people signed in. */
export const lastSignInAt = (seen: SQL) => sql<Date | null>`case when ${memberships.acceptedAt} is not null
  then (select i.at from ${seen} i where i.user_id = ${participants.userId}) end`

/** Joins that the database drops where their columns are not used: each finds one row at most. */
export function joins(db: Db, reach: Reach) {
  const standing = standings(db, reach)
  const collection = collections(db, reach)
  const state = sql<Participant['state']>`coalesce(${standing.state}, 'none')`
  const role = sql<Participant['role']>`case when ${standing.consumes} and ${standing.produces} then 'both'
    when ${standing.consumes} then 'consumer' when ${standing.produces} then 'producer'
    when ${standing.stores} then 'storage' end`
  const { open, unsigned } = standing
  const { agreedUntil } = collection
  const toReview = sql`(${open} and (${participants.email} = '' or ${unsigned}
    or ${agreedUntil} is null or ${agreedUntil} <= ${soon(reach.day)}))`
  return { standing, collection, state, role, toReview, facts: { open, unsigned, agreedUntil } }
}
type Joins = ReturnType<typeof joins>

/** Who reads the portal in a participant's name. */
export const account = eq(users.id, participants.userId)
export const member = and(
  eq(memberships.companyId, participants.companyId),
  eq(memberships.userId, participants.userId),
)

/** Each word in the name, the e-mail, the city or a PRM; a PRM may be pasted with its spaces. */
function searched(actor: Actor, q: string | undefined): SQL | undefined {
  const whole = q?.replace(/\s/g, '') ?? ''
  const words = /^\d+$/.test(whole) ? [whole] : (q?.split(/\s+/).filter(Boolean) ?? [])
  const ofPoint = (digits: string) => sql`${participants.id} in (
    select ${participations.participantId} from ${participations}
      join points t on t.company_id = ${participations.companyId} and t.id = ${participations.pointId}
     where ${participationScope(actor)} and t.prm like ${`%${digits}%`})`
  return and(
    ...words.map((word) =>
      or(
        matches(word, [participants.name, participants.email, participants.city]),
        /^\d{3,}$/.test(word) ? ofPoint(word) : undefined,
      ),
    ),
  )
}

function filtered(actor: Actor, { standing, state, role, toReview }: Joins, query: Query) {
  return and(
    participantScope(actor),
    query.operationId ? isNotNull(standing.participantId) : undefined,
    query.kind && eq(participants.kind, query.kind),
    query.state && sql`${state} = ${query.state}`,
    query.role && sql`${role} = ${query.role}`,
    query.portal && sql`${portal} = ${query.portal}`,
    query.tag ? bearsTag(query.tag) : undefined,
    query.review === undefined ? undefined : sql`coalesce(${toReview}, false) = ${query.review}`,
    searched(actor, query.q),
  )
}

const sorts = (seen: SQL, { state, role }: Joins) => ({
  name: nameOrder,
  city: sql`fold(${participants.city})`,
  email: participants.email,
  kind: participants.kind,
  state,
  role,
  portal,
  lastSignInAt: lastSignInAt(seen),
  createdAt: participants.createdAt,
})

/** Those that the query asks for, in no order yet. */
function found(db: Db, actor: Actor, query: Query) {
  const all = joins(db, { actor, day: today(), operationId: query.operationId })
  const rows = () =>
    db
      .select({ id: participants.id })
      .from(participants)
      .leftJoin(users, account)
      .leftJoin(memberships, member)
      .leftJoin(all.standing, eq(all.standing.participantId, participants.id))
      .leftJoin(all.collection, eq(all.collection.participantId, participants.id))
      .where(filtered(actor, all, query))
  return { all, rows, count: async () => (await db.select({ n: count() }).from(rows().as('found')))[0]?.n ?? 0 }
}

/** How many the list has, for whoever shows none of them. */
export const countParticipants = (db: Db, actor: Actor, query: Query): Promise<number> =>
  found(db, actor, query).count()

/** Which participants, in which order; what they look like is read for the page alone. */
export async function chosen(db: Db, actor: Actor, query: Query, page?: { limit: number; offset: number }) {
  if (query.operationId) await findOperation(db, actor, query.operationId)
  const { all, rows, count } = found(db, actor, query)
  const seen = await signInsOf(db, actor.companyId)
  const ordered = rows().orderBy(orderBy(query.sort, sorts(seen, all), 'name'), asc(participants.id))
  const [own, total] = await Promise.all([
    page ? ordered.limit(page.limit).offset(page.offset) : ordered,
    page ? count() : undefined,
  ])
  return { ids: own.map(({ id }) => id), total: total ?? own.length }
}

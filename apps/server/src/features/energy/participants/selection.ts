import type { Participant, ParticipantQuery } from '@voisol/contract/participants'
import { and, asc, count, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/operation.ts'
import { loadSignInsSql } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords } from '../../../db/list.ts'
import { memberships, participants, participations, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { getExpiringSoonLimit } from '../consents/consents.ts'
import { participantScope, participationScope } from './scope.ts'
import {
  type ParticipantReach,
  participantNameOrder,
  selectCollectionConsents,
  selectParticipationStatus,
} from './standing.ts'
import { hasTag } from './tags.ts'

export type ListParticipantsQuery = z.output<typeof ParticipantQuery>

export const portalStatusSql = sql<Participant['portal']['status']>`case when ${memberships.userId} is null then 'none'
  when ${memberships.disabledAt} is not null then 'disabled'
  when ${memberships.acceptedAt} is null then 'invited' else 'active' end`
/** `seen` is the table of last sign-ins. */
export const lastSignInSql = (seen: SQL) => sql<Date | null>`case when ${memberships.acceptedAt} is not null
  then (select i.at from ${seen} i where i.user_id = ${participants.userId}) end`

/** Each join finds one row at most, so the database drops those whose columns are not used. */
export function buildParticipantJoins(db: Db, reach: ParticipantReach) {
  const participationStatus = selectParticipationStatus(db, reach)
  const collectionConsent = selectCollectionConsents(db, reach)
  const state = sql<Participant['state']>`coalesce(${participationStatus.state}, 'none')`
  const role = sql<
    Participant['role']
  >`case when ${participationStatus.consumes} and ${participationStatus.produces} then 'both'
    when ${participationStatus.consumes} then 'consumer' when ${participationStatus.produces} then 'producer'
    when ${participationStatus.stores} then 'storage' end`
  const { open, unsigned } = participationStatus
  const { agreedUntil } = collectionConsent
  const toReview = sql`(${open} and (${participants.email} = '' or ${unsigned}
    or ${agreedUntil} is null or ${agreedUntil} <= ${getExpiringSoonLimit(reach.day)}))`
  return {
    standing: participationStatus,
    collection: collectionConsent,
    state,
    role,
    toReview,
    facts: { open, unsigned, agreedUntil },
  }
}
type ParticipantJoins = ReturnType<typeof buildParticipantJoins>

/** The account that reads the portal as this participant. */
export const isAccountOfParticipant = eq(users.id, participants.userId)
export const isMembershipOfParticipant = and(
  eq(memberships.companyId, participants.companyId),
  eq(memberships.userId, participants.userId),
)

/** Searches each word in name, e-mail, city or PRM; a PRM may be pasted with spaces. */
function matchesSearch(actor: Actor, q: string | undefined): SQL | undefined {
  const whole = q?.replace(/\s/g, '') ?? ''
  const words = /^\d+$/.test(whole) ? [whole] : (q?.split(/\s+/).filter(Boolean) ?? [])
  const ofPoint = (digits: string) => sql`${participants.id} in (
    select ${participations.participantId} from ${participations}
      join points t on t.company_id = ${participations.companyId} and t.id = ${participations.pointId}
     where ${participationScope(actor)} and t.prm like ${`%${digits}%`})`
  return and(
    ...words.map((word) =>
      or(
        matchesSearchWords(word, [participants.name, participants.email, participants.city]),
        /^\d{3,}$/.test(word) ? ofPoint(word) : undefined,
      ),
    ),
  )
}

function matchesFilter(
  actor: Actor,
  { standing, state, role, toReview }: ParticipantJoins,
  query: ListParticipantsQuery,
) {
  return and(
    participantScope(actor),
    query.operationId ? isNotNull(standing.participantId) : undefined,
    query.kind && eq(participants.kind, query.kind),
    query.state && sql`${state} = ${query.state}`,
    query.role && sql`${role} = ${query.role}`,
    query.portal && sql`${portalStatusSql} = ${query.portal}`,
    query.tag ? hasTag(query.tag) : undefined,
    query.review === undefined ? undefined : sql`coalesce(${toReview}, false) = ${query.review}`,
    matchesSearch(actor, query.q),
  )
}

const buildSorts = (seen: SQL, { state, role }: ParticipantJoins) => ({
  name: participantNameOrder,
  city: sql`fold(${participants.city})`,
  email: participants.email,
  kind: participants.kind,
  state,
  role,
  portal: portalStatusSql,
  lastSignInAt: lastSignInSql(seen),
  createdAt: participants.createdAt,
})

/** The matching participants, unordered. */
function buildParticipantQuery(db: Db, actor: Actor, query: ListParticipantsQuery) {
  const all = buildParticipantJoins(db, { actor, day: getToday(), operationId: query.operationId })
  const rows = () =>
    db
      .select({ id: participants.id })
      .from(participants)
      .leftJoin(users, isAccountOfParticipant)
      .leftJoin(memberships, isMembershipOfParticipant)
      .leftJoin(all.standing, eq(all.standing.participantId, participants.id))
      .leftJoin(all.collection, eq(all.collection.participantId, participants.id))
      .where(matchesFilter(actor, all, query))
  return { all, rows, count: async () => (await db.select({ n: count() }).from(rows().as('found')))[0]?.n ?? 0 }
}

/** The number of matches, for callers that show none of them. */
export const countParticipants = (db: Db, actor: Actor, query: ListParticipantsQuery): Promise<number> =>
  buildParticipantQuery(db, actor, query).count()

/** The matching ids in order; details are only read for the page. */
export async function listMatchingParticipantIds(
  db: Db,
  actor: Actor,
  query: ListParticipantsQuery,
  page?: { limit: number; offset: number },
) {
  if (query.operationId) await requireVisibleOperation(db, actor, query.operationId)
  const { all, rows, count } = buildParticipantQuery(db, actor, query)
  const signIns = await loadSignInsSql(db, actor.companyId)
  const ordered = rows().orderBy(buildOrderBy(query.sort, buildSorts(signIns, all), 'name'), asc(participants.id))
  const [rowsOfPage, total] = await Promise.all([
    page ? ordered.limit(page.limit).offset(page.offset) : ordered,
    page ? count() : undefined,
  ])
  return { ids: rowsOfPage.map(({ id }) => id), total: total ?? rowsOfPage.length }
}

import { createHash } from 'node:crypto'
import { MAX_BULK_SELECTION, type RunBulkActionInput } from '@voisol/contract/bulk'
import { type Participant, ParticipantQuery } from '@voisol/contract/participants'
import { and, asc, count, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { consumesSql, producesSql } from '../../../core/point-names.ts'
import { loadSignInsSql } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords } from '../../../db/list-query.ts'
import { consents, memberships, participants, participations, points, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { getExpiringSoonLimit } from '../consents/index.ts'
import { anyOfArray, PARTICIPATION_JOINS } from './enrolment-data.ts'
import { participantScope, participationScope } from './participant-scope.ts'

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

type ParticipantReach = { actor: Actor; day: string; operationId?: string | undefined; only?: SQL | undefined }

/**
 * The state of each participant on a day from their participations; future and current ones count before past ones.
 * Grouped by participant, so that the database can skip this join, and the join on points, when their columns are not
 * used.
 */
function selectParticipationStatus(db: Db, { actor, day, operationId, only }: ParticipantReach) {
  const isOpen = sql`(${participations.endsOn} is null or ${participations.endsOn} > ${day})`
  const isCurrent = sql`(${participations.startsOn} <= ${day} and ${isOpen})`
  const has = (side: SQL) => {
    const one = sql`bool_or(${side})`
    return sql<boolean>`coalesce(${one} filter (where ${isOpen}), ${one})`
  }
  return db
    .select({
      participantId: participations.participantId,
      state: sql<Participant['state']>`case when bool_or(${isCurrent}) then 'active'
        when bool_or(${isOpen}) then 'upcoming' else 'past' end`.as('state'),
      consumes: has(consumesSql(sql`${points}`)).as('consumes'),
      produces: has(producesSql(sql`${points}`)).as('produces'),
      stores: has(sql`${points.storage}`).as('stores'),
      open: sql<boolean>`bool_or(${isOpen})`.as('open'),
      unsigned: sql<boolean>`bool_or(${isOpen} and ${participations.agreementSignedOn} is null)`.as('unsigned'),
    })
    .from(participations)
    .leftJoin(points, PARTICIPATION_JOINS.point)
    .where(
      and(
        participationScope(actor),
        operationId ? eq(participations.operationId, operationId) : undefined,
        only && sql`${participations.participantId} = ${only}`,
      ),
    )
    .groupBy(participations.participantId)
    .as('standing')
}

/** The end of each participant's consent to data collection, by their last decision. */
const selectCollectionConsents = (db: Db, { actor, only }: ParticipantReach) =>
  db
    .selectDistinctOn([consents.participantId], {
      participantId: consents.participantId,
      agreedUntil: sql<
        string | null
      >`case when ${consents.withdrawnAt} is null then ${consents.expiresOn}::text end`.as('agreed_until'),
    })
    .from(consents)
    .where(
      and(
        eq(consents.companyId, actor.companyId),
        eq(consents.purpose, 'collection'),
        only && sql`${consents.participantId} = ${only}`,
      ),
    )
    .orderBy(consents.participantId, desc(consents.createdAt))
    .as('collection')

const participantNameOrder = sql`fold(${participants.name})`

const hasTag = (tag: string) => sql`${participants.tags} @> ${sql.param([tag])}::text[]`

/** Tags in use among visible participants, most used first. */
export const listTagsInUse = (db: Db, actor: Actor) => {
  const tag = sql<string>`unnest(${participants.tags})`.as('tag')
  const each = db.select({ tag }).from(participants).where(participantScope(actor)).as('each')
  const uses = sql<number>`count(*)::int`
  return db.select({ tag: each.tag, count: uses }).from(each).groupBy(each.tag).orderBy(sql`${uses} desc`, each.tag)
}

type BulkActionInput = z.output<typeof RunBulkActionInput>

/** The selected people: those named, all of one's own, or all that match the filter now. */
export async function resolveSelection(
  db: Db,
  actor: Actor,
  { selection }: Pick<BulkActionInput, 'selection'>,
): Promise<string[]> {
  if ('filter' in selection) return listMatchingIds(db, actor, selection.filter)
  const ids = [...new Set(selection.ids)]
  const own = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOfArray(ids, 'uuid')}`))
  if (own.length < ids.length) throw new AppError('not-found')
  return ids
}

async function listMatchingIds(
  db: Db,
  actor: Actor,
  { review, ...filter }: Extract<BulkActionInput['selection'], { filter: object }>['filter'],
) {
  const query = { ...ParticipantQuery.parse({}), ...filter, ...(review !== undefined && { review }) }
  const { ids } = await listMatchingParticipantIds(db, actor, query)
  if (ids.length === 0) throw fieldError('selection', 'Aucun participant ne correspond à ces filtres.')
  if (ids.length > MAX_BULK_SELECTION)
    throw fieldError(
      'selection',
      `Au plus ${MAX_BULK_SELECTION.toLocaleString('fr-FR')} participants à la fois\u00a0: ces filtres en retiennent ${ids.length.toLocaleString('fr-FR')}.`,
    )
  return ids
}

/** A hash of the selected people and the action, so that a confirmation only applies to what was shown. */
export const computeSelectionHash = (
  ids: string[],
  { action, operationId }: Pick<BulkActionInput, 'action' | 'operationId'>,
) =>
  createHash('sha256')
    .update(JSON.stringify([ids.toSorted(), action, operationId ?? null]))
    .digest('base64url')

/** Locks in a fixed order, so that concurrent bulk actions cannot deadlock. */
export async function lockSelectedParticipants(tx: Db, actor: Actor, ids: string[]) {
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOfArray(ids, 'uuid')}`))
    .orderBy(asc(participants.id))
    .for('update')
  return tx
    .select({ row: participants, portal: portalStatusSql })
    .from(participants)
    .leftJoin(users, isAccountOfParticipant)
    .leftJoin(memberships, isMembershipOfParticipant)
    .where(and(participantScope(actor), sql`${participants.id} = ${anyOfArray(ids, 'uuid')}`))
    .orderBy(participantNameOrder, asc(participants.id))
}
export type SelectedParticipant = Awaited<ReturnType<typeof lockSelectedParticipants>>[number]

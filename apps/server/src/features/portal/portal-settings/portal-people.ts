import type {
  InvitationState,
  PortalAdoption,
  PortalPeopleQuery,
  PortalPerson,
} from '@voisol/contract/portal-management'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { participantUsersSql, requireVisibleOperation, withinOperationLimit } from '../../../core/access-scopes.ts'
import { loadSignInsSql } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { memberships, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { participantScope } from '../../energy/participants/index.ts'
import { INVITATION_VALID_DAYS } from '../../identity/users/index.ts'

/** The account of the main holder, who is invited at the participant's own address. */
export const PARTICIPANT_MEMBERSHIP = and(
  eq(memberships.companyId, participants.companyId),
  eq(memberships.userId, participants.userId),
)

/**
 * Current and future members within the user's operations, and participants without any operation; former members are
 * not invited. Each part names the company, without which Citus cannot route the query to a single node.
 */
const currentParticipantScope = (actor: Actor): SQL | undefined =>
  and(
    participantScope(actor),
    sql`(exists (select from participations s where s.company_id = ${actor.companyId}
         and s.participant_id = ${participants}.id and (s.ends_on is null or s.ends_on > ${getToday()}))
       or not exists (select from participations s where s.company_id = ${actor.companyId}
         and s.participant_id = ${participants}.id))`,
  )

type Query = z.output<typeof PortalPeopleQuery>

export const INVITATION_STATE = sql<InvitationState>`case when ${memberships.userId} is null then 'none'
  when ${memberships.disabledAt} is not null then 'disabled'
  when ${memberships.acceptedAt} is not null then 'accepted'
  when ${memberships.invitationExpiresAt} > now() then 'sent' else 'expired' end`
/** When the last invitation was sent, computed from its expiry. */
export const INVITATION_SENT_AT = sql`${memberships.invitationExpiresAt} - make_interval(days => ${sql.raw(String(INVITATION_VALID_DAYS))})`
/** An invitation sent later than the membership was created is a reminder. */
const REMINDED_AT = sql<Date | null>`case when ${INVITATION_SENT_AT} > ${memberships.createdAt} + interval '1 minute' then ${INVITATION_SENT_AT} end`
/** The latest sign-in of any holder. A pending invitation reveals nothing about an existing account. */
const buildLastSignInSql = ({ companyId }: Actor, seen: SQL) => sql<Date | null>`(
  select max(i.at) from ${participantUsersSql(companyId)} r
    join memberships m on m.company_id = ${companyId} and m.user_id = r.user_id and m.accepted_at is not null
    join ${seen} i on i.user_id = r.user_id
   where r.id = ${participants}.id)`
const buildLastVisitSql = ({ companyId }: Actor) => sql<Date | null>`(
  select max(v.began_at) from ${participantUsersSql(companyId)} r
    join portal_visits v on v.company_id = ${companyId} and v.user_id = r.user_id
   where r.id = ${participants}.id)`

const buildLetterSql = ({ companyId }: Actor) => sql<PortalPerson['letter']>`(
  select json_build_object('madeAt', to_json(l.created_at), 'expiresAt', to_json(l.expires_at), 'usedAt', to_json(l.used_at))
    from portal_letters l
   where l.company_id = ${companyId} and l.participant_id = ${participants}.id and l.replaced_at is null
   order by l.created_at desc limit 1)`

const isInOperation = ({ companyId }: Actor, operationId: string) => sql`exists (select from participations s
  where s.company_id = ${companyId} and s.participant_id = ${participants}.id
    and s.operation_id = ${operationId} and (s.ends_on is null or s.ends_on > ${getToday()}))`

const buildOperationNamesSql = (actor: Actor) => sql<string[]>`array(
  select distinct o.name from participations s join operations o on o.company_id = s.company_id and o.id = s.operation_id
   where s.company_id = ${actor.companyId} and s.participant_id = ${participants}.id
     and (s.ends_on is null or s.ends_on > ${getToday()}) and ${withinOperationLimit(actor, sql`s.operation_id`) ?? sql`true`} order by 1)`

export const buildPeopleFilter = (actor: Actor, { q, operationId, state, post }: Partial<Query>): SQL | undefined =>
  and(
    currentParticipantScope(actor),
    operationId ? isInOperation(actor, operationId) : undefined,
    state ? sql`${INVITATION_STATE} = ${state}` : undefined,
    post ? eq(participants.email, '') : undefined,
    matchesSearchWords(q, [participants.name, participants.email]),
  )

const buildSorts = (actor: Actor, seen: SQL) => ({
  name: sql`fold(${participants.name})`,
  state: INVITATION_STATE,
  invitedAt: memberships.createdAt,
  lastSignInAt: buildLastSignInSql(actor, seen),
  lastVisitAt: buildLastVisitSql(actor),
})

const toIso = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString())

function selectPeople(db: Db, actor: Actor, seen: SQL, where: SQL | undefined) {
  return db
    .select({
      id: participants.id,
      name: participants.name,
      email: participants.email,
      operations: buildOperationNamesSql(actor),
      state: INVITATION_STATE,
      invitedAt: memberships.createdAt,
      remindedAt: REMINDED_AT,
      expiresAt: memberships.invitationExpiresAt,
      lastSignInAt: buildLastSignInSql(actor, seen),
      lastVisitAt: buildLastVisitSql(actor),
      letter: buildLetterSql(actor),
    })
    .from(participants)
    .leftJoin(memberships, PARTICIPANT_MEMBERSHIP)
    .where(where)
}

const toPortalPerson = (row: Awaited<ReturnType<typeof selectPeople>>[number]): PortalPerson => ({
  ...row,
  invitedAt: toIso(row.invitedAt),
  remindedAt: toIso(row.remindedAt),
  expiresAt: row.state === 'sent' || row.state === 'expired' ? toIso(row.expiresAt) : null,
  lastSignInAt: toIso(row.lastSignInAt),
  lastVisitAt: toIso(row.lastVisitAt),
  letter: row.letter && {
    madeAt: new Date(row.letter.madeAt).toISOString(),
    expiresAt: new Date(row.letter.expiresAt).toISOString(),
    usedAt: toIso(row.letter.usedAt),
  },
})

export async function listPortalPeople(db: Db, actor: Actor, query: Query) {
  if (query.operationId) await requireVisibleOperation(db, actor, query.operationId)
  const where = buildPeopleFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const seen = await loadSignInsSql(db, actor.companyId)
  const rows = await selectPeople(db, actor, seen, where)
    .orderBy(buildOrderBy(query.sort, buildSorts(actor, seen), 'name'), asc(participants.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(participants)
    .leftJoin(memberships, PARTICIPANT_MEMBERSHIP)
    .where(where)
  return { items: rows.map(toPortalPerson), total: all?.n ?? 0 }
}

/** A user seen within this many days counts as active. */
const RECENT_VISIT_DAYS = 30

type AdoptionRow = PortalAdoption & { operationId: string; operationName: string }

/** One row per account of a current member, or one for a member without: invited, accepted and recently active. */
const selectAdoptionRows = (actor: Actor, seen: SQL) => sql`
  select distinct s.operation_id, s.participant_id, m.user_id is not null as invited,
         m.accepted_at is not null and m.disabled_at is null as account,
         m.accepted_at is not null and m.disabled_at is null
           and greatest(v.began_at, case when m.role = 'client' then i.at end)
             > now() - make_interval(days => ${RECENT_VISIT_DAYS}) as recent
    from participations s
    left join ${participantUsersSql(actor.companyId)} r on r.id = s.participant_id
    left join memberships m on m.company_id = s.company_id and m.user_id = r.user_id
    left join ${seen} i on i.user_id = m.user_id
    left join portal_visits v on v.company_id = s.company_id and v.user_id = r.user_id
   where s.company_id = ${actor.companyId} and s.starts_on <= ${getToday()} and (s.ends_on is null or s.ends_on > ${getToday()})
     and ${withinOperationLimit(actor, sql`s.operation_id`) ?? sql`true`}`

const counts = sql`count(distinct t.participant_id)::int as participants,
  count(distinct t.participant_id) filter (where t.invited)::int as invited,
  count(distinct t.participant_id) filter (where t.account)::int as accounts,
  count(distinct t.participant_id) filter (where t.recent)::int as recent`

/** Adoption by operation and in total: a person in two operations counts once in the total. */
export async function loadAdoption(db: Db, actor: Actor): Promise<{ total: PortalAdoption; items: AdoptionRow[] }> {
  const seen = await loadSignInsSql(db, actor.companyId)
  const { rows: items } = await db.execute<AdoptionRow>(sql`
    select t.operation_id as "operationId", o.name as "operationName", ${counts}
      from (${selectAdoptionRows(actor, seen)}) t join operations o on o.company_id = ${actor.companyId} and o.id = t.operation_id
     group by 1, 2 order by fold(o.name), 1`)
  const { rows } = await db.execute<PortalAdoption>(sql`select ${counts} from (${selectAdoptionRows(actor, seen)}) t`)
  return { items, total: rows[0] ?? { participants: 0, invited: 0, accounts: 0, recent: 0 } }
}

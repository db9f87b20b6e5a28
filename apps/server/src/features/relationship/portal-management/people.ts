import type { InvitationState, PortalPeopleQuery, PortalPerson } from '@voisol/contract/portal-management'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { readersIn } from '../../../core/held.ts'
import { withinLimit } from '../../../core/limit.ts'
import { findOperation } from '../../../core/operation.ts'
import { signInsOf } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { memberships, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { VALID_DAYS } from '../../people/users/users.ts'
import { MEMBER, presentScope } from './scope.ts'

type Query = z.output<typeof PortalPeopleQuery>

export const STATE = sql<InvitationState>`case when ${memberships.userId} is null then 'none'
  when ${memberships.disabledAt} is not null then 'disabled'
  when ${memberships.acceptedAt} is not null then 'accepted'
  when ${memberships.invitationExpiresAt} > now() then 'sent' else 'expired' end`
/** When the last invitation left: it holds for so many days. */
export const SENT_AT = sql`${memberships.invitationExpiresAt} - make_interval(days => ${sql.raw(String(VALID_DAYS))})`
/** The first one leaves with the membership; what left later is a reminder. */
const REMINDED_AT = sql<Date | null>`case when ${SENT_AT} > ${memberships.createdAt} + interval '1 minute' then ${SENT_AT} end`
/** Whoever reads for the participant, the latest. Of an invitation that waits nothing is told of the account behind it. */
const signedInAt = ({ companyId }: Actor, seen: SQL) => sql<Date | null>`(
  select max(i.at) from ${readersIn(companyId)} r
    join memberships m on m.company_id = ${companyId} and m.user_id = r.user_id and m.accepted_at is not null
    join ${seen} i on i.user_id = r.user_id
   where r.id = ${participants}.id)`
const visitedAt = ({ companyId }: Actor) => sql<Date | null>`(
  select max(v.began_at) from ${readersIn(companyId)} r
    join portal_visits v on v.company_id = ${companyId} and v.user_id = r.user_id
   where r.id = ${participants}.id)`

const letterOf = ({ companyId }: Actor) => sql<PortalPerson['letter']>`(
  select json_build_object('madeAt', to_json(l.created_at), 'expiresAt', to_json(l.expires_at), 'usedAt', to_json(l.used_at))
    from portal_letters l
   where l.company_id = ${companyId} and l.participant_id = ${participants}.id and l.replaced_at is null
   order by l.created_at desc limit 1)`

const inOperation = ({ companyId }: Actor, operationId: string) => sql`exists (select from participations s
  where s.company_id = ${companyId} and s.participant_id = ${participants}.id
    and s.operation_id = ${operationId} and (s.ends_on is null or s.ends_on > ${today()}))`

const namesOf = (actor: Actor) => sql<string[]>`array(
  select distinct o.name from participations s join operations o on o.company_id = s.company_id and o.id = s.operation_id
   where s.company_id = ${actor.companyId} and s.participant_id = ${participants}.id
     and (s.ends_on is null or s.ends_on > ${today()}) and ${withinLimit(actor, sql`s.operation_id`) ?? sql`true`} order by 1)`

export const chosenPeople = (actor: Actor, { q, operationId, state, post }: Partial<Query>): SQL | undefined =>
  and(
    presentScope(actor),
    operationId ? inOperation(actor, operationId) : undefined,
    state ? sql`${STATE} = ${state}` : undefined,
    post ? eq(participants.email, '') : undefined,
    matches(q, [participants.name, participants.email]),
  )

const sortsFor = (actor: Actor, seen: SQL) => ({
  name: sql`fold(${participants.name})`,
  state: STATE,
  invitedAt: memberships.createdAt,
  lastSignInAt: signedInAt(actor, seen),
  lastVisitAt: visitedAt(actor),
})

const instant = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString())

function read(db: Db, actor: Actor, seen: SQL, where: SQL | undefined) {
  return db
    .select({
      id: participants.id,
      name: participants.name,
      email: participants.email,
      operations: namesOf(actor),
      state: STATE,
      invitedAt: memberships.createdAt,
      remindedAt: REMINDED_AT,
      expiresAt: memberships.invitationExpiresAt,
      lastSignInAt: signedInAt(actor, seen),
      lastVisitAt: visitedAt(actor),
      letter: letterOf(actor),
    })
    .from(participants)
    .leftJoin(memberships, MEMBER)
    .where(where)
}

const toPerson = (row: Awaited<ReturnType<typeof read>>[number]): PortalPerson => ({
  ...row,
  invitedAt: instant(row.invitedAt),
  remindedAt: instant(row.remindedAt),
  expiresAt: row.state === 'sent' || row.state === 'expired' ? instant(row.expiresAt) : null,
  lastSignInAt: instant(row.lastSignInAt),
  lastVisitAt: instant(row.lastVisitAt),
  letter: row.letter && {
    madeAt: new Date(row.letter.madeAt).toISOString(),
    expiresAt: new Date(row.letter.expiresAt).toISOString(),
    usedAt: instant(row.letter.usedAt),
  },
})

export async function listPeople(db: Db, actor: Actor, query: Query) {
  if (query.operationId) await findOperation(db, actor, query.operationId)
  const where = chosenPeople(actor, query)
  const { limit, offset } = pageOf(query)
  const seen = await signInsOf(db, actor.companyId)
  const rows = await read(db, actor, seen, where)
    .orderBy(orderBy(query.sort, sortsFor(actor, seen), 'name'), asc(participants.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(participants).leftJoin(memberships, MEMBER).where(where)
  return { items: rows.map(toPerson), total: all?.n ?? 0 }
}

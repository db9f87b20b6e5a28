import { notInArray, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { participants } from '../db/schema/index.ts'
import type { Actor } from '../http/actor.ts'

type PortalUser = Pick<Actor, 'companyId' | 'userId'>

/**
 * The participants whose portal this account may open in a company, as main or secondary holder. Every portal scope
 * uses it.
 */
export const participantIdsOfUser = ({ companyId, userId }: PortalUser) => sql`(
  select id from participants where company_id = ${companyId} and user_id = ${userId}
  union all
  select participant_id from portal_holders where company_id = ${companyId} and user_id = ${userId})`

/** The same condition for the participant of the query. */
export const isParticipantOfUser = (reader: PortalUser) => sql`${participants.id} in ${participantIdsOfUser(reader)}`

/** In any company except those excluded, or in the given one: for the export of one's own data. */
export const isParticipantOfUserAnywhere = (
  userId: string,
  companyId: number | null = null,
  leftOut: readonly number[] = [],
) => sql`(
  (${participants.companyId}, ${participants.id}) in (
    select company_id, id from participants where user_id = ${userId}
    union all
    select company_id, participant_id from portal_holders where user_id = ${userId})
  and (${companyId}::int is null or ${participants.companyId} = ${companyId}::int)
  and ${leftOut.length ? notInArray(participants.companyId, [...leftOut]) : sql`true`})`

export async function userReadsParticipant(
  db: Db,
  { companyId, userId }: PortalUser,
  participantId: string,
): Promise<boolean> {
  const { rows } = await db.execute<{ held: boolean }>(
    sql`select ${participantId}::uuid in ${participantIdsOfUser({ companyId, userId })} as held`,
  )
  return rows[0]?.held === true
}

/** The accounts that may open the portal of a participant. */
const userIdsOfParticipantSql = (companyId: number, participantId: string) => sql`
  select user_id as id from participants where company_id = ${companyId} and id = ${participantId} and user_id is not null
  union
  select user_id from portal_holders where company_id = ${companyId} and participant_id = ${participantId}`

/** Every account of a company paired with each participant whose portal it may open. */
export const participantUsersSql = (companyId: number) => sql`(
  select id, user_id from participants where company_id = ${companyId} and user_id is not null
  union
  select participant_id, user_id from portal_holders where company_id = ${companyId})`

const toIds = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)

/** Accounts to notify, each by its own preferences. */
export const listUserIdsOfParticipant = async (db: Db, companyId: number, participantId: string): Promise<string[]> =>
  toIds(await db.execute<{ id: string }>(userIdsOfParticipantSql(companyId, participantId)))

/** Accounts that hold only this participant here: what happens to the participant happens to the account. */
export const listUserIdsOfOnlyThisParticipant = async (
  db: Db,
  companyId: number,
  participantId: string,
): Promise<string[]> =>
  toIds(
    await db.execute<{ id: string }>(sql`
      select a.id from (${userIdsOfParticipantSql(companyId, participantId)}) a
       where not exists (select from participants p
               where p.company_id = ${companyId} and p.user_id = a.id and p.id <> ${participantId})
         and not exists (select from portal_holders h
               where h.company_id = ${companyId} and h.user_id = a.id and h.participant_id <> ${participantId})`),
  )

/** Participants that this account alone holds, which it may therefore end by itself. */
export const isOnlyHolder = ({ companyId, userId }: PortalUser) => sql`not exists (
  select from portal_holders h where h.company_id = ${companyId} and h.participant_id = ${participants.id}
     and h.user_id <> ${userId})
  and (${participants.userId} is null or ${participants.userId} = ${userId})`

import { type AnyColumn, and, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { operations, participants, participations } from '../db/schema/index.ts'
import type { Actor } from '../http/actor.ts'
import { AppError, fieldError } from '../http/errors.ts'

/**
 * Operations of the actor's company, within their limit; in the portal only those with a present or former point of the
 * actor.
 */
export const operationScope = (actor: Actor): SQL | undefined =>
  and(
    eq(operations.companyId, actor.companyId),
    actor.space === 'office' ? withinOperationLimit(actor, operations.id) : participatesInOperationSql(actor),
  )

const participatesInOperationSql = (actor: Actor) => sql`exists (
  select 1 from ${participations}
   where ${participations.companyId} = ${operations.companyId} and ${participations.operationId} = ${operations.id}
     and ${participations.participantId} in ${participantIdsOfUser(actor)})`

export type OperationRow = typeof operations.$inferSelect

/** The stored row, for callers that need no state of the operation. */
export async function requireVisibleOperation(db: Db, actor: Actor, id: string): Promise<OperationRow> {
  const [row] = await db
    .select()
    .from(operations)
    .where(and(operationScope(actor), eq(operations.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

/** Whether the column names an operation that the actor may see; no condition for actors without a limit. */
export const withinOperationLimit = ({ operationIds }: Actor, column: AnyColumn | SQL): SQL | undefined =>
  operationIds ? sql`${column} = any(${sql.param([...operationIds])}::uuid[])` : undefined

/** When limiting a person or key to operations, the actor must see those operations. */
export async function requireVisibleOperations(tx: Db, actor: Actor, ids: string[]) {
  const mine = and(eq(operations.companyId, actor.companyId), withinOperationLimit(actor, operations.id))
  const found = await tx
    .select({ id: operations.id })
    .from(operations)
    .where(and(mine, inArray(operations.id, ids)))
  if (found.length < new Set(ids).size)
    throw fieldError('operationIds', 'Une de ces opérations n’existe pas dans votre organisation.')
}

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

import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { operations, participations } from '../db/schema/index.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/errors.ts'
import { participantIdsOfUser } from './held.ts'
import { withinOperationLimit } from './limit.ts'

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

import { type AnyColumn, and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { operations } from '../db/schema/index.ts'
import type { Actor } from '../http/actor.ts'
import { fieldError } from '../http/errors.ts'

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

import { and, eq } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations, priceIndexes, tariffDiscounts, tariffFees, tariffs } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

type OperationTable = typeof tariffs | typeof tariffFees | typeof tariffDiscounts
const buildScope = (table: OperationTable) => (actor: Actor) =>
  and(eq(table.companyId, actor.companyId), withinOperationLimit(actor, table.operationId))

/** Rows of the actor's company, within the operations they are limited to. */
export const tariffScope = buildScope(tariffs)
export const feeScope = buildScope(tariffFees)
export const discountScope = buildScope(tariffDiscounts)
/** An index serves all operations of the company. */
export const indexScope = (actor: Actor) => eq(priceIndexes.companyId, actor.companyId)

/** Locked until the transaction ends, so that price changes and closes of an operation run one after the other. */
export async function lockOperationForPrices(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select()
    .from(operations)
    .where(and(operationScope(actor), eq(operations.id, id)))
    .for('no key update')
  if (!row) throw new AppError('not-found')
  return row
}

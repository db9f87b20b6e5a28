import type { Operation } from '@voisol/contract/operations'
import { and, eq } from 'drizzle-orm'
import { type OperationRow, operationScope, requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { addFigures } from './view.ts'

const isThisOperation = (actor: Actor, id: string) => and(operationScope(actor), eq(operations.id, id))

async function addOwnFigures(db: Db, actor: Actor, row: OperationRow): Promise<Operation> {
  const [operation] = await addFigures(db, actor.companyId, [row])
  if (!operation) throw new AppError('not-found')
  return operation
}

export const loadOperation = async (db: Db, actor: Actor, id: string): Promise<Operation> =>
  addOwnFigures(db, actor, await requireVisibleOperation(db, actor, id))

/** Locked until the transaction ends, so that changes of an operation run one after the other. */
export async function lockReadableOperation(tx: Db, actor: Actor, id: string): Promise<Operation> {
  const [row] = await tx.select().from(operations).where(isThisOperation(actor, id)).for('no key update')
  if (!row) throw new AppError('not-found')
  return addOwnFigures(tx, actor, row)
}

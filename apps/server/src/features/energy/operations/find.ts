import type { Operation } from '@voisol/contract/operations'
import { and, eq } from 'drizzle-orm'
import { findOperation, type OperationRow, operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { withFigures } from './view.ts'

const one = (actor: Actor, id: string) => and(operationScope(actor), eq(operations.id, id))

async function withOwnFigures(db: Db, actor: Actor, row: OperationRow): Promise<Operation> {
  const [operation] = await withFigures(db, actor.companyId, [row])
  if (!operation) throw new AppError('not-found')
  return operation
}

export const getOperation = async (db: Db, actor: Actor, id: string): Promise<Operation> =>
  withOwnFigures(db, actor, await findOperation(db, actor, id))

/** Held until the transaction ends: changes of one operation follow each other. */
export async function lockOperation(tx: Db, actor: Actor, id: string): Promise<Operation> {
  const [row] = await tx.select().from(operations).where(one(actor, id)).for('no key update')
  if (!row) throw new AppError('not-found')
  return withOwnFigures(tx, actor, row)
}

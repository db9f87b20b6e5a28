import type { OperationDraft } from '@voisol/contract/operations'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { createOperation } from './create.ts'

type OperationInput = z.output<typeof OperationDraft>

/** Creates the operation and rolls back, so that it reports exactly what creating it would refuse. */
export async function checkOperation(
  tx: Db,
  actor: Actor,
  draft: OperationInput,
): Promise<{ path: string; message: string }[]> {
  await tx.execute(sql`savepoint checked`)
  try {
    await createOperation(tx, actor, draft)
    return []
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return error.issues ?? [{ path: '', message: error.message }]
  } finally {
    await tx.execute(sql`rollback to savepoint checked`)
  }
}

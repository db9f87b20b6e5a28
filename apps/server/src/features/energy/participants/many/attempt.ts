import { sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { AppError } from '../../../../http/errors.ts'

/** Runs one item of a bulk action in a savepoint: a refused item leaves no trace, and the others continue. */
export async function tryInSavepoint(tx: Db, work: () => Promise<unknown>): Promise<AppError | null> {
  await tx.execute(sql`savepoint one_of_many`)
  try {
    await work()
    await tx.execute(sql`release savepoint one_of_many`)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await tx.execute(sql`rollback to savepoint one_of_many`)
    return error
  }
}

/** Runs the work and rolls it back, so that a dry run reports exactly what the real run does. */
export async function performAndRollBack<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint dry_run`)
  try {
    return await work()
  } finally {
    await tx.execute(sql`rollback to savepoint dry_run`)
  }
}

import { sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { AppError } from '../../../../http/errors.ts'

/** One piece of work among many: what is refused leaves no trace, and the others go on. */
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

/** Does it and takes it back: a dry run says what doing it says, because it does it. */
export async function performAndRollBack<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint dry_run`)
  try {
    return await work()
  } finally {
    await tx.execute(sql`rollback to savepoint dry_run`)
  }
}

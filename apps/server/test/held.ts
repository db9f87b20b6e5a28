import { eq } from 'drizzle-orm'
import { type Db, transaction } from '../src/db/client.ts'
import { memberships, users } from '../src/db/schema/index.ts'

/** Locks the account and its memberships as a concurrent change would: reads must not wait. */
export const withAccountLocked = <T>(db: Db, userId: string, work: () => Promise<T>): Promise<T> =>
  transaction(db, async (tx) => {
    await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
    await tx.select().from(memberships).where(eq(memberships.userId, userId)).for('no key update')
    return work()
  })

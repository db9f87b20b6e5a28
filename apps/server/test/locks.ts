import { eq } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Db, transaction } from '../src/db/client.ts'
import { memberships, users } from '../src/db/schema/index.ts'
import { buildDatabaseUrl, queryAs } from './database.ts'
import { waitUntil } from './wait.ts'

const LOCK_WAIT_SQL = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

/** Waits until a statement waits for a lock, on any machine of the server's database. */
export async function waitForLockWait({ url }: { url: string }): Promise<void> {
  const name = /\/([^/?]+)(\?|$)/.exec(url)?.[1] ?? ''
  await waitUntil(async () => {
    for (const machine of inject('postgres').machines)
      if ((await queryAs(buildDatabaseUrl(machine, name), LOCK_WAIT_SQL)).rowCount) return true
    return false
  })
}

/** Locks the account and its memberships as a concurrent change would: reads must not wait. */
export const withAccountLocked = <T>(db: Db, userId: string, work: () => Promise<T>): Promise<T> =>
  transaction(db, async (tx) => {
    await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
    await tx.select().from(memberships).where(eq(memberships.userId, userId)).for('no key update')
    return work()
  })

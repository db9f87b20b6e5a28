import { inject } from 'vitest'
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

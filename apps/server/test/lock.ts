import { inject } from 'vitest'
import { databaseUrl, queryAs } from './database.ts'
import { until } from './wait.ts'

const WAITS = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

/** Until somebody waits for what another holds, on whichever machine of the server's database that is. */
export async function lockWaited({ url }: { url: string }): Promise<void> {
  const name = /\/([^/?]+)(\?|$)/.exec(url)?.[1] ?? ''
  await until(async () => {
    for (const machine of inject('postgres').machines)
      if ((await queryAs(databaseUrl(machine, name), WAITS)).rowCount) return true
    return false
  })
}

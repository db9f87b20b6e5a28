import { sql } from 'drizzle-orm'
import type { Server } from './client.ts'
import { until } from './wait.ts'

/** Waits until no job is due or at work: what has not come by then does not come. */
export const jobsEnd = (server: Server) =>
  until(async () => {
    const { rows } = await server.db.execute<{ left: number }>(
      sql`select count(*)::int as left from jobs.job where state < 'completed' and start_after <= now()`,
    )
    return rows[0]?.left === 0
  })

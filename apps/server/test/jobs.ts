import { sql } from 'drizzle-orm'
import type { PgBoss } from 'pg-boss'
import { afterEach } from 'vitest'
import type { Db } from '../src/db/client.ts'
import type { Job, JobName } from '../src/jobs/job.ts'
import { enqueue, startQueue, stopQueue } from '../src/jobs/queue.ts'
import type { TestServer } from './client.ts'
import type { useServer } from './server.ts'
import { waitUntil } from './wait.ts'

/** Waits until no job is due or running: later effects are not to be expected. */
export const waitForJobs = (server: TestServer, ms?: number) =>
  waitUntil(async () => {
    const { rows } = await server.db.execute<{ left: number }>(
      sql`select count(*)::int as left from jobs.job where state < 'completed' and start_after <= now()`,
    )
    return rows[0]?.left === 0
  }, ms)

/** The states of the jobs of a name, oldest first. */
export async function listJobStates(server: TestServer, name: string, key?: string): Promise<string[]> {
  const one = key === undefined ? sql`` : sql`and singleton_key = ${key}`
  const { rows } = await server.db.execute<{ state: string }>(
    sql`select state::text from jobs.job where name = ${name} ${one} order by created_on`,
  )
  return rows.map(({ state }) => state)
}

/** Sends a job that only the test defines. */
export const enqueueTestJob = (tx: Db, name: string, options?: { once?: string; id?: string; after?: number }) =>
  enqueue(tx, name as JobName, {} as never, options) // its test started a queue that has it

/** Job queues with test jobs, closed after each test. */
export function useQueues(server: ReturnType<typeof useServer>) {
  const opened: PgBoss[] = []
  afterEach(async () => {
    for (const queue of opened.splice(0)) await stopQueue(queue)
  })
  return async (jobs: Record<string, Job>, work = true) => {
    const queue = await startQueue(server.deps, server.url, jobs, work)
    opened.push(queue)
    return queue
  }
}

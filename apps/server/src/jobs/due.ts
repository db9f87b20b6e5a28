import type { PgBoss } from 'pg-boss'
import type { createThrottledReporter } from './log.ts'
import { QUEUE_SCHEMA } from './migrate-queue.ts'

/** Sent jobs are announced; delayed and retried ones become due silently. */
const DUE_QUEUES_QUERY = `
  select q.name from ${QUEUE_SCHEMA}.queue q where exists (
    select 1 from ${QUEUE_SCHEMA}.job j
     where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`
const POLL_INTERVAL_MS = 1000

/** Idle workers of that name fetch at once; busy ones as soon as they finish. */
export function notifyWorkers(queue: PgBoss, name: string) {
  for (const worker of queue.getWipData()) if (worker.name === name) queue.notifyWorker(worker.id)
}

/** One query a second for all queues, instead of one per worker. Returns the function that stops it. */
export function pollDueJobs(queue: PgBoss, report: ReturnType<typeof createThrottledReporter>): () => void {
  const ended = new AbortController()
  let timer = setTimeout(look, POLL_INTERVAL_MS)
  async function look() {
    try {
      const { rows } = await queue.getDb().executeSql(DUE_QUEUES_QUERY, [])
      for (const { name } of rows as { name: string }[]) notifyWorkers(queue, name)
    } catch (err) {
      if (!ended.signal.aborted) report('warn', Error.isError(err) ? err : { message: String(err) })
    }
    if (!ended.signal.aborted) timer = setTimeout(look, POLL_INTERVAL_MS)
  }
  return () => {
    ended.abort()
    clearTimeout(timer)
  }
}

import type { PgBoss } from 'pg-boss'
import type { createThrottledReporter } from './log.ts'
import { QUEUE_SCHEMA } from './migrate-queue.ts'

/** Whoever listens hears of what is sent; what was put off, or is tried again, comes due without a word. */
const DUE_QUEUES_QUERY = `
  select q.name from ${QUEUE_SCHEMA}.queue q where exists (
    select 1 from ${QUEUE_SCHEMA}.job j
     where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`
const POLL_INTERVAL_MS = 1000

/** Those who wait for jobs of that name ask for one now; those at work, as soon as they are done. */
export function notifyWorkers(queue: PgBoss, name: string) {
  for (const worker of queue.getWipData()) if (worker.name === name) queue.notifyWorker(worker.id)
}

/** One question a second for all queues, where every worker would ask its own. Ends with what it gives back. */
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

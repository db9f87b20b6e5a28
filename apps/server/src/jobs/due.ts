import type { PgBoss } from 'pg-boss'
import type { quietly } from './log.ts'
import { SCHEMA } from './migrate-queue.ts'

/** Whoever listens hears of what is sent; what was put off, or is tried again, comes due without a word. */
const DUE = `
  select q.name from ${SCHEMA}.queue q where exists (
    select 1 from ${SCHEMA}.job j
     where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`
const LOOK_MS = 1000

/** Those who wait for jobs of that name ask for one now; those at work, as soon as they are done. */
export function wake(queue: PgBoss, name: string) {
  for (const worker of queue.getWipData()) if (worker.name === name) queue.notifyWorker(worker.id)
}

/** One question a second for all queues, where every worker would ask its own. Ends with what it gives back. */
export function watchDue(queue: PgBoss, report: ReturnType<typeof quietly>): () => void {
  const ended = new AbortController()
  let timer = setTimeout(look, LOOK_MS)
  async function look() {
    try {
      const { rows } = await queue.getDb().executeSql(DUE, [])
      for (const { name } of rows as { name: string }[]) wake(queue, name)
    } catch (err) {
      if (!ended.signal.aborted) report('warn', Error.isError(err) ? err : { message: String(err) })
    }
    if (!ended.signal.aborted) timer = setTimeout(look, LOOK_MS)
  }
  return () => {
    ended.abort()
    clearTimeout(timer)
  }
}

import { PgBoss } from 'pg-boss'
import { sleep } from '../db/embedded-process.ts'

/** The schema of the queue's own tables. */
export const QUEUE_SCHEMA = 'jobs'
/** A longer build continues at the next start. */
const INDEX_TIMEOUT_MS = 60_000

/** An update of the queue may build indexes in the background, one after the other. */
async function waitForIndexes(queue: PgBoss): Promise<void> {
  const end = performance.now() + INDEX_TIMEOUT_MS
  const hasPendingIndexes = async () =>
    (await queue.getBamStatus()).some(({ status }) => ['pending', 'in_progress'].includes(status))
  while (performance.now() < end && (await hasPendingIndexes())) await sleep(250)
}

/**
 * The jobs of one company are looked up whenever a new one is sent (turn.ts). Checked first, because creating the index
 * waits for all writers.
 */
async function addCompanyOrderIndex(queue: PgBoss): Promise<void> {
  const db = queue.getDb()
  const { rows } = await db.executeSql(`select 1 where to_regclass('${QUEUE_SCHEMA}.voisol_turns') is not null`)
  if (rows.length) return
  // In one message, which is one transaction: otherwise two processes starting at once would both find none.
  await db.executeSql(`select pg_advisory_xact_lock(hashtextextended('voisol turns', 0));
    create index if not exists voisol_turns
    on ${QUEUE_SCHEMA}.job_common (name, (data->>'companyId'), priority, start_after) where state < 'active'`)
}

/** Creates or updates the tables of the queue, as the owner; the application role only uses them. */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  const queue = new PgBoss({
    connectionString: ownerUrl,
    schema: QUEUE_SCHEMA,
    max: 2,
    application_name: 'voisol-jobs-owner',
    connectionTimeoutMillis: 5000,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
  })
  // A failed index is retried at the next start; without a listener the event would end the process.
  queue.on('error', () => {})
  try {
    await queue.start()
    await waitForIndexes(queue)
    await addCompanyOrderIndex(queue)
  } finally {
    await queue.stop({ graceful: false }).catch(() => {})
  }
}

import { and, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import { z } from 'zod'
import { transaction } from '../../../db/client.ts'
import { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { CONNECTORS } from '../../../integrations/connections/connectors.ts'
import { defineJob } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { runConnection } from './run-connection.ts'

const MAX_RUNS_STARTED = 200
const RUNNABLE_KINDS = CONNECTORS.filter(({ can }) => can.includes('deliver') || can.includes('fetch')).map(
  ({ kind }) => kind,
)
/** Only one run at a time of each connection. */
export const getConnectionRunOptions = (companyId: number, id: string) => ({ once: `${companyId} ${id}` })

async function startDueRuns({ db }: Deps): Promise<void> {
  const due = and(isNotNull(connections.nextRunAt), lte(connections.nextRunAt, new Date()))
  const rows = await db
    .select({ companyId: connections.companyId, id: connections.id })
    .from(connections)
    .where(and(due, eq(connections.state, 'active'), inArray(connections.kind, RUNNABLE_KINDS)))
    .orderBy(connections.nextRunAt)
    .limit(MAX_RUNS_STARTED)
  await transaction(db, async (tx) => {
    for (const { companyId, id } of rows)
      await enqueue(tx, 'connections.run', { companyId, id, askedBy: 'Voisol' }, getConnectionRunOptions(companyId, id))
  })
}

export const connectionJobs = {
  'connections.due': defineJob({
    input: z.object({}),
    cron: '*/2 * * * *',
    policy: { retryLimit: 0 },
    run: startDueRuns,
  }),
  'connections.run': defineJob({
    input: z.object({ companyId: z.int(), id: z.uuid(), askedBy: z.string() }),
    parallel: 2,
    // The connection row holds the time of the next attempt; the retries of the job only cover a killed process.
    policy: { retryLimit: 2, expireInSeconds: 3 * 3600 },
    run: (deps, asked, { signal }) => runConnection(deps, asked, signal),
  }),
}

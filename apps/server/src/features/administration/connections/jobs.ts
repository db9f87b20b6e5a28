import { and, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import { z } from 'zod'
import { CONNECTORS } from '../../../adapters/connections/table.ts'
import { transaction } from '../../../db/client.ts'
import { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { job } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { runConnection } from './run.ts'

const MOST = 200
const RUNNING = CONNECTORS.filter(({ can }) => can.includes('deliver') || can.includes('fetch')).map(({ kind }) => kind)
/** One at a time of a connection. */
export const onceOf = (companyId: number, id: string) => ({ once: `${companyId} ${id}` })

async function beginDue({ db }: Deps): Promise<void> {
  const due = and(isNotNull(connections.nextRunAt), lte(connections.nextRunAt, new Date()))
  const rows = await db
    .select({ companyId: connections.companyId, id: connections.id })
    .from(connections)
    .where(and(due, eq(connections.state, 'active'), inArray(connections.kind, RUNNING)))
    .orderBy(connections.nextRunAt)
    .limit(MOST)
  await transaction(db, async (tx) => {
    for (const { companyId, id } of rows)
      await enqueue(tx, 'connections.run', { companyId, id, askedBy: 'Voisol' }, onceOf(companyId, id))
  })
}

export const connectionJobs = {
  'connections.due': job({ input: z.object({}), cron: '*/2 * * * *', policy: { retryLimit: 0 }, run: beginDue }),
  'connections.run': job({
    input: z.object({ companyId: z.int(), id: z.uuid(), askedBy: z.string() }),
    parallel: 2,
    // Its own table says when it is tried again; a process that was killed is made up for.
    policy: { retryLimit: 2, expireInSeconds: 3 * 3600 },
    run: (deps, asked, { signal }) => runConnection(deps, asked, signal),
  }),
}

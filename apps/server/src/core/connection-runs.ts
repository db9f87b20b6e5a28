import { and, eq, sql } from 'drizzle-orm'
import { type Db, transaction } from '../db/client.ts'
import { connectionRuns, connectionSteps, connections } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/events.ts'
import type { ConnectionFault } from '../integrations/connections/connector.ts'

type Row = typeof connections.$inferSelect
/** The encryption context of a connection's settings: copied to another row, they do not decrypt. */
export const getConnectionSealContext = ({ companyId, id }: Pick<Row, 'companyId' | 'id'>) =>
  `connection ${companyId} ${id}`

/** Minutes before each automatic retry; after the last the connection is stopped. */
export const RETRY_DELAYS_MINUTES = [5, 30, 120, 360]

type ConnectionRunStep = { text: string; milliseconds?: number; bytes?: number }
export type ConnectionRunLog = { runId: string; add(step: ConnectionRunStep): Promise<void> }

const RUN_INTERRUPTED = 'Le serveur s’est arrêté pendant ce passage\u00a0: il sera repris.'

/** Starts a run, with its append-only log. A run left open by a killed process is closed as lost. */
export async function startConnectionRun(db: Db, { companyId, id }: Row, askedBy: string): Promise<ConnectionRunLog> {
  const runId = crypto.randomUUID()
  await transaction(db, async (tx) => {
    const open = and(eq(connectionRuns.companyId, companyId), eq(connectionRuns.connectionId, id))
    await tx
      .update(connectionRuns)
      .set({ state: 'failed', failure: RUN_INTERRUPTED, endedAt: new Date() })
      .where(and(open, eq(connectionRuns.state, 'running')))
    await tx.insert(connectionRuns).values({ companyId, id: runId, connectionId: id, askedBy })
  })
  const add = async (step: ConnectionRunStep) => {
    // The clock of this process, because in PostgreSQL all statements of a transaction see the same time.
    await db.insert(connectionSteps).values({ companyId, runId, at: new Date(), ...step })
  }
  return { runId, add }
}

const connectionCondition = ({ companyId, id }: Row) =>
  and(eq(connections.companyId, companyId), eq(connections.id, id))
const runCondition = ({ companyId }: Row, runId: string) =>
  and(eq(connectionRuns.companyId, companyId), eq(connectionRuns.id, runId))

export const finishConnectionRun = (
  db: Db,
  row: Row,
  { runId }: ConnectionRunLog,
  { files, bytes, nextRunAt }: { files: number; bytes: number; nextRunAt: Date | null },
): Promise<void> =>
  transaction(db, async (tx) => {
    const values = { state: 'done', endedAt: new Date(), files, bytes }
    await tx.update(connectionRuns).set(values).where(runCondition(row, runId))
    await tx
      .update(connections)
      .set({ failures: 0, trouble: '', offeredKey: '', nextRunAt })
      .where(connectionCondition(row))
  })

/**
 * Records the failure with its next retry, or stops the connection: at once if no retry can help, or after the last.
 */
export const failConnectionRun = (
  deps: Pick<Deps, 'db' | 'secrets'>,
  row: Row,
  { runId }: ConnectionRunLog,
  fault: ConnectionFault,
  job: string,
) =>
  transaction(deps.db, async (tx) => {
    const { message, hopeless, offeredKey } = fault
    const ended = { state: 'failed', endedAt: new Date(), failure: message }
    await tx.update(connectionRuns).set(ended).where(runCondition(row, runId))
    const [now] = await tx
      .update(connections)
      .set({ failures: sql`${connections.failures} + 1`, trouble: message, ...(offeredKey && { offeredKey }) })
      .where(and(connectionCondition(row), eq(connections.state, 'active')))
      .returning()
    if (!now) return
    const pause = hopeless ? undefined : RETRY_DELAYS_MINUTES[now.failures - 1]
    const next = pause === undefined ? null : new Date(Date.now() + pause * 60_000 * (0.8 + Math.random() * 0.4))
    const state = pause === undefined ? 'stopped' : 'active'
    await tx.update(connections).set({ state, nextRunAt: next }).where(connectionCondition(row))
    const { companyId, id, kind, name } = row
    const about = { companyId, object: id, by: { job, secrets: deps.secrets } }
    const data = { connectionId: id, kind, name, reason: message }
    if (state === 'stopped') await recordEvent(tx, { ...about, name: 'connection.stopped', data })
    else if (now.failures === 1) await recordEvent(tx, { ...about, name: 'connection.failed', data })
  })

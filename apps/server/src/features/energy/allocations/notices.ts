import { and, eq, inArray } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { StepCounts } from './rows.ts'
import { type RunRow, toRunRow } from './runs.ts'

const toEventData = ({ id, operationId, kind, startsOn, endsOn }: RunRow) => ({
  runId: id,
  operationId,
  kind,
  from: startsOn,
  to: endsOn,
})

type RunResult = { counts: StepCounts; resultHash: string }

export function recordRunCompleted(tx: Db, { secrets }: Deps, run: RunRow, { counts, resultHash }: RunResult) {
  const { companyId, id: object } = run
  const { steps, excluded } = counts
  const data = { ...toEventData(run), resultHash, steps, excluded }
  return recordEvent(tx, {
    companyId,
    name: 'allocation.completed',
    object,
    data,
    by: { job: 'allocations.run', secrets },
  })
}

export function recordRunFailed(tx: Db, { secrets }: Deps, run: RunRow, reason: string) {
  const { companyId, id: object } = run
  const by = { job: 'allocations.run', secrets }
  return recordEvent(tx, { companyId, name: 'allocation.failed', object, data: { ...toEventData(run), reason }, by })
}

/** Records the event of runs invalidated by a change, once per run. */
export const recordRunsInvalidated = ({ db, secrets }: Deps, companyId: number, runIds: string[]) =>
  transaction(db, async (tx) => {
    const rows = await tx
      .select()
      .from(allocationRuns)
      .where(and(eq(allocationRuns.companyId, companyId), inArray(allocationRuns.id, runIds)))
      .orderBy(allocationRuns.id)
    for (const row of rows) {
      const data = { ...toEventData(toRunRow(row)), reason: row.staleReason }
      const by = { job: 'allocations.stale', secrets }
      await recordEvent(tx, { companyId, name: 'allocation.invalidated', object: row.id, data, by, once: row.id })
    }
  })

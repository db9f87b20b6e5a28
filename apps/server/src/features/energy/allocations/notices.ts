import { and, eq, inArray } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Counts } from './rows.ts'
import { type RunRow, toRun } from './runs.ts'

const factsOf = ({ id, operationId, kind, startsOn, endsOn }: RunRow) => ({
  runId: id,
  operationId,
  kind,
  from: startsOn,
  to: endsOn,
})

type Result = { counts: Counts; resultHash: string }

export function tellDone(tx: Db, { secrets }: Deps, run: RunRow, { counts, resultHash }: Result) {
  const { companyId, id: object } = run
  const { steps, excluded } = counts
  const data = { ...factsOf(run), resultHash, steps, excluded }
  return record(tx, { companyId, name: 'allocation.completed', object, data, by: { job: 'allocations.run', secrets } })
}

export function tellFailed(tx: Db, { secrets }: Deps, run: RunRow, reason: string) {
  const { companyId, id: object } = run
  const by = { job: 'allocations.run', secrets }
  return record(tx, { companyId, name: 'allocation.failed', object, data: { ...factsOf(run), reason }, by })
}

/** Of those that a change has made stale, each once. */
export const tellStale = ({ db, secrets }: Deps, companyId: number, runIds: string[]) =>
  transaction(db, async (tx) => {
    const rows = await tx
      .select()
      .from(allocationRuns)
      .where(and(eq(allocationRuns.companyId, companyId), inArray(allocationRuns.id, runIds)))
      .orderBy(allocationRuns.id)
    for (const row of rows) {
      const data = { ...factsOf(toRun(row)), reason: row.staleReason }
      const by = { job: 'allocations.stale', secrets }
      await record(tx, { companyId, name: 'allocation.invalidated', object: row.id, data, by, once: row.id })
    }
  })

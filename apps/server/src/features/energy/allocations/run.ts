import { monthOf } from '@voisol/energy/calendar'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import { sql } from 'drizzle-orm'
import { lockInputsExclusive } from '../../../core/stale.ts'
import { markRollupsStale } from '../../../core/sum-marks.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import { type AppError, toAppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { PermanentJobError } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { addCompleteness, createEmptyCompleteness, type RunCompleteness } from './completeness.ts'
import { splitIntoMonths, streamRunParts } from './compute.ts'
import { computeInputHash, loadRunInput, type RunInput, requireComputable } from './input.ts'
import { recordRunCompleted, recordRunFailed } from './notices.ts'
import { createResultHash } from './result-hash.ts'
import { addNumbers, createAllocationTotals, createStepCounts, toReportedTotals } from './rows.ts'
import { findAllocationRun, type RunRow } from './runs.ts'
import { describeShortfall } from './shortfall.ts'
import { requireSignOff } from './sign-off.ts'
import { updateCoverage, writeRunPart } from './write.ts'

type RunJobInput = { companyId: number; runId: string }

/**
 * Computes a queued run. All results are stored in one transaction with the new status: if killed it leaves nothing
 * behind and is computed again with the same figures; a finished run is not touched.
 */
export async function executeRun(deps: Deps, ids: RunJobInput, signal?: AbortSignal): Promise<void> {
  try {
    await transaction(deps.db, async (tx) => {
      // A worker believed dead may still be running: the second one waits, then finds the run done.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`allocation ${ids.runId}`}, 0))`)
      const run = await findAllocationRun(tx, ids.companyId, ids.runId)
      if (run && (run.status === 'queued' || run.status === 'running')) await computeAndStoreRun(deps, tx, run, signal)
    })
  } catch (error) {
    const known = toAppError(error)
    if (known?.code === 'unavailable' || known?.code === 'disk-full' || signal?.aborted) throw error
    await markRunFailed(deps, ids, known)
    if (!known) throw new PermanentJobError('the run failed', { cause: error })
  }
}

const UNEXPECTED_FAILURE_MESSAGE = 'Le calcul a échoué pour une raison inattendue, qui a été enregistrée. Relancez-le.'

/** Records a failure once: a run that already failed is not failed again. */
const markRunFailed = (deps: Deps, { companyId, runId }: RunJobInput, known: AppError | undefined) =>
  transaction(deps.aside, async (tx) => {
    const reason = known?.message ?? UNEXPECTED_FAILURE_MESSAGE
    const { rowCount } = await tx.execute(sql`
      update allocation_runs set status = 'failed', message = ${reason}, finished_at = now()
       where company_id = ${companyId} and id = ${runId} and status in ('queued', 'running')`)
    const run = rowCount ? await findAllocationRun(tx, companyId, runId) : undefined
    if (run) await recordRunFailed(tx, deps, run, reason)
  })

async function computeAndStoreRun(deps: Deps, tx: Db, run: RunRow, signal: AbortSignal | undefined) {
  const { companyId, id, operationId } = run
  await authorizeJob(
    tx,
    { companyId, userId: run.createdBy, keyId: run.keyId },
    { permission: 'allocations.run', operationId },
  )
  await updateProgress(deps.aside, run, 0)
  const result = await readSnapshot(deps.db, async (view) => {
    const input = await loadRunInput(view, toRunInputQuery(run))
    requireComputable(input)
    const hash = await computeInputHash(view, input)
    const storedResult = await storeRunParts(deps, tx, run, view, input, signal)
    requireSignOff(run, input, storedResult.completeness, hash)
    return { ...storedResult, input, hash }
  })
  // Locked only at the end, so that writes of readings do not wait for the computation.
  await lockInputsExclusive(tx, companyId)
  const currentHash = await computeInputHash(deps.aside, await loadRunInput(deps.aside, toRunInputQuery(run)))
  await markRunDone(tx, run, result, currentHash !== result.hash)
  await updateCoverage(tx, { companyId, id })
  await markRollupsStale(tx, companyId, [{ operationIds: [operationId], from: run.startsOn, to: run.endsOn }])
  if (currentHash === result.hash) await recordRunCompleted(tx, deps, run, result)
  else if (run.kind === 'provisional')
    for (const { from } of splitIntoMonths(result.input))
      await enqueue(tx, 'allocations.refresh', { companyId, operationId, month: monthOf(from) })
}

export const toRunInputQuery = ({ companyId, operationId, startsOn, endsOn, estimated, estimateBy }: RunRow) => ({
  companyId,
  operationId,
  estimated,
  estimateBy,
  from: startsOn,
  to: endsOn,
})

/** What a finished run lacked, one sentence each. */
export const loadRunShortfall = async (db: Db, run: RunRow): Promise<string[]> =>
  // Written by the run in this shape.
  describeShortfall(
    await loadRunInput(db, toRunInputQuery(run)),
    (run.completeness as RunCompleteness | null) ?? createEmptyCompleteness(),
  )

/** Uses another connection, since progress must be visible before the run's transaction ends. */
const updateProgress = (aside: Db, { companyId, id }: RunRow, progress: number) =>
  aside.execute(sql`
    update allocation_runs set status = 'running', progress = ${progress},
      started_at = ${progress === 0 ? sql`now()` : sql`started_at`}
     where company_id = ${companyId} and id = ${id} and status in ('queued', 'running')`)

const PROGRESS_INTERVAL_MS = 400

async function storeRunParts(
  deps: Deps,
  tx: Db,
  run: RunRow,
  view: Db,
  input: RunInput,
  signal: AbortSignal | undefined,
) {
  const hash = createResultHash()
  const counts = createStepCounts()
  const sums = createAllocationTotals()
  const completeness = createEmptyCompleteness()
  let reportedAt = Date.now()
  for await (const part of streamRunParts(view, input)) {
    signal?.throwIfAborted()
    addNumbers(counts, part.counts)
    addNumbers(sums, part.sums)
    addCompleteness(completeness, part)
    for (const row of part.days) hash.day(row)
    for (const row of part.totals) hash.total(row)
    for (const row of part.pairs) hash.pair(row)
    await writeRunPart(tx, run, part)
    if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) continue
    reportedAt = Date.now()
    await updateProgress(deps.aside, run, Math.max(1, Math.floor(part.done * 95)))
  }
  return { counts, completeness, totals: toReportedTotals(sums, input.batteries.length > 0), resultHash: hash.digest() }
}

type ComputedRunResult = Awaited<ReturnType<typeof storeRunParts>> & { input: RunInput; hash: string }

const DATA_CHANGED_REASON = 'Des données ont changé pendant le calcul.'

const markRunDone = (
  tx: Db,
  { companyId, id }: RunRow,
  { counts, completeness, totals, resultHash, input, hash }: ComputedRunResult,
  stale: boolean,
) => {
  const keys = input.keys.map(({ version: { id, number, method } }) => ({ id, number, method }))
  return tx.execute(sql`
    update allocation_runs set status = 'done', progress = 100, message = '', finished_at = now(),
      engine_version = ${ENGINE_VERSION}, input_hash = ${hash}, result_hash = ${resultHash}, key_ids = ${JSON.stringify(keys)}::jsonb,
      counts = ${JSON.stringify(counts)}::jsonb, completeness = ${JSON.stringify(completeness)}::jsonb, totals = ${JSON.stringify(totals)}::jsonb,
      stale_at = ${stale ? sql`now()` : null}, stale_reason = ${stale ? DATA_CHANGED_REASON : ''}
     where company_id = ${companyId} and id = ${id}`)
}

import { monthOf } from '@voisol/energy/calendar'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { lockInputsExclusive } from '../../../core/outdated-runs.ts'
import { markRollupsStale } from '../../../core/stale-rollups.ts'
import { RETURNING_ONE } from '../../../db/citus.ts'
import { type Db, readSnapshot, transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type AppError, toAppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { PermanentJobError } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { findAllocationRun, type RunRow, toRunRow } from './allocation-runs.ts'
import {
  addNumbers,
  createAllocationTotals,
  createResultHash,
  createStepCounts,
  type DailyPair,
  type DayRow,
  type StepCounts,
  type TotalRow,
  toReportedTotals,
} from './result-rows.ts'
import {
  addCompleteness,
  createEmptyCompleteness,
  describeShortfall,
  type RunCompleteness,
  requireSignOff,
} from './run-completeness.ts'
import { computeInputHash, loadRunInput, type RunInput, requireComputable } from './run-input.ts'
import { type RunPart, splitIntoMonths, streamRunParts } from './run-parts.ts'

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

type RunRef = { companyId: number; id: string }

const toBytes = ({ buffer, byteOffset, byteLength }: Int32Array | Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength)
const toSqlArrayParam = <T>(rows: T[], value: (row: T) => unknown) => sql.param(rows.map(value))

/** Stores a part of a run, in the same transaction as all parts and the end of the run. */
async function writeRunPart(tx: Db, run: RunRef, { days, totals, pairs }: RunPart): Promise<void> {
  if (days.length) await writeDayRows(tx, run, days)
  if (totals.length) await writeTotalRows(tx, run, totals)
  if (pairs.length) await writePairRows(tx, run, pairs)
}

const writeDayRows = (tx: Db, { companyId, id }: RunRef, rows: DayRow[]) =>
  tx.execute(sql`
    insert into allocation_days (company_id, run_id, point_id, day, allocated, total, local, excluded)
    select ${companyId}, ${id}, * from unnest(
      ${toSqlArrayParam(rows, (row) => row.pointId)}::uuid[], ${toSqlArrayParam(rows, (row) => row.day)}::date[],
      ${toSqlArrayParam(rows, (row) => toBytes(row.allocated))}::bytea[], ${toSqlArrayParam(rows, (row) => row.total)}::bigint[],
      ${toSqlArrayParam(rows, (row) => row.local)}::bigint[], ${toSqlArrayParam(rows, (row) => row.excluded)}::smallint[]) ${RETURNING_ONE}`)

const writeTotalRows = (tx: Db, { companyId, id }: RunRef, rows: TotalRow[]) =>
  tx.execute(sql`
    insert into allocation_totals (company_id, run_id, point_id, month, time_class, total, local)
    select ${companyId}, ${id}, * from unnest(
      ${toSqlArrayParam(rows, (row) => row.pointId)}::uuid[], ${toSqlArrayParam(rows, (row) => row.month)}::date[],
      ${toSqlArrayParam(rows, (row) => row.timeClass)}::text[], ${toSqlArrayParam(rows, (row) => row.total)}::bigint[],
      ${toSqlArrayParam(rows, (row) => row.local)}::bigint[]) ${RETURNING_ONE}`)

const writePairRows = (tx: Db, { companyId, id }: RunRef, rows: DailyPair[]) =>
  tx.execute(sql`
    insert into allocation_pairs (company_id, run_id, producer_id, point_id, month, time_class, energy, days)
    select ${companyId}, ${id}, * from unnest(
      ${toSqlArrayParam(rows, (row) => row.producerId)}::uuid[], ${toSqlArrayParam(rows, (row) => row.pointId)}::uuid[],
      ${toSqlArrayParam(rows, (row) => row.month)}::date[], ${toSqlArrayParam(rows, (row) => row.timeClass)}::text[],
      ${toSqlArrayParam(rows, (row) => row.energy)}::bigint[], ${toSqlArrayParam(rows, (row) => toBytes(row.days))}::bytea[]) ${RETURNING_ONE}`)

/** Puts the run in force for its days: definitive runs win over provisional ones, then the latest wins. */
export const updateCoverage = (tx: Db, { companyId, id }: RunRef) =>
  tx.execute(sql`
    insert into allocation_coverage (company_id, operation_id, day, run_id)
    select r.company_id, r.operation_id, d.day::date, r.id
      from allocation_runs r
      cross join lateral generate_series(r.starts_on, r.ends_on - 1, interval '1 day') d(day)
      left join allocation_coverage h on h.company_id = r.company_id and h.operation_id = r.operation_id and h.day = d.day::date
      left join allocation_runs o on o.company_id = h.company_id and o.id = h.run_id
     where r.company_id = ${companyId} and r.id = ${id} and (o.id is null
        or (r.kind = 'definitive' or o.kind <> 'definitive') and (r.kind <> o.kind or r.created_at >= o.created_at))
    on conflict (company_id, operation_id, day) do update set run_id = excluded.run_id`)

const toEventData = ({ id, operationId, kind, startsOn, endsOn }: RunRow) => ({
  runId: id,
  operationId,
  kind,
  from: startsOn,
  to: endsOn,
})

type RunResult = { counts: StepCounts; resultHash: string }

function recordRunCompleted(tx: Db, { secrets }: Deps, run: RunRow, { counts, resultHash }: RunResult) {
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

function recordRunFailed(tx: Db, { secrets }: Deps, run: RunRow, reason: string) {
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

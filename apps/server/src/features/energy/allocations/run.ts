import { monthOf } from '@voisol/energy/calendar'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import { sql } from 'drizzle-orm'
import { holdInputs } from '../../../core/stale.ts'
import { markSums } from '../../../core/sum-marks.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import { type AppError, toAppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { GiveUp } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { addCompleteness, type Completeness, nothingYet } from './completeness.ts'
import { computeRun, monthsOf } from './compute.ts'
import { inputHash, loadInput, type RunInput, requireSubstance } from './input.ts'
import { tellDone, tellFailed } from './notices.ts'
import { createResultHash } from './result-hash.ts'
import { addTo, noCounts, noTotals, wholeTotals } from './rows.ts'
import { findRun, type RunRow } from './runs.ts'
import { foundShortfall } from './shortfall.ts'
import { requireWord } from './sign-off.ts'
import { cover, writePart } from './write.ts'

type Ids = { companyId: number; runId: string }

/**
 * Computes a run that waits. Everything it gives is stored in one transaction with its new state: killed at any moment
 * it leaves nothing behind and is computed again, with the same figures; once done it is left alone.
 */
export async function executeRun(deps: Deps, ids: Ids, signal?: AbortSignal): Promise<void> {
  try {
    await transaction(deps.db, async (tx) => {
      // A worker believed dead may still be at work: the second one waits, then finds the run done.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`allocation ${ids.runId}`}, 0))`)
      const run = await findRun(tx, ids.companyId, ids.runId)
      if (run && (run.status === 'queued' || run.status === 'running')) await compute(deps, tx, run, signal)
    })
  } catch (error) {
    const known = toAppError(error)
    if (known?.code === 'unavailable' || known?.code === 'disk-full' || signal?.aborted) throw error
    await fail(deps, ids, known)
    if (!known) throw new GiveUp('the run failed', { cause: error })
  }
}

const UNEXPECTED = 'Le calcul a échoué pour une raison inattendue, qui a été enregistrée. Relancez-le.'

/** Told once: a run that failed is not failed again. */
const fail = (deps: Deps, { companyId, runId }: Ids, known: AppError | undefined) =>
  transaction(deps.aside, async (tx) => {
    const reason = known?.message ?? UNEXPECTED
    const { rowCount } = await tx.execute(sql`
      update allocation_runs set status = 'failed', message = ${reason}, finished_at = now()
       where company_id = ${companyId} and id = ${runId} and status in ('queued', 'running')`)
    const run = rowCount ? await findRun(tx, companyId, runId) : undefined
    if (run) await tellFailed(tx, deps, run, reason)
  })

async function compute(deps: Deps, tx: Db, run: RunRow, signal: AbortSignal | undefined) {
  const { companyId, id, operationId } = run
  await authorizeJob(
    tx,
    { companyId, userId: run.createdBy, keyId: run.keyId },
    { permission: 'allocations.run', operationId },
  )
  await say(deps.aside, run, 0)
  const result = await snapshot(deps.db, async (view) => {
    const input = await loadInput(view, wantedBy(run))
    requireSubstance(input)
    const hash = await inputHash(view, input)
    const given = await store(deps, tx, run, view, input, signal)
    requireWord(run, input, given.completeness, hash)
    return { ...given, input, hash }
  })
  // Only now, so that nobody who changes readings has to wait for the computation.
  await holdInputs(tx, companyId)
  const now = await inputHash(deps.aside, await loadInput(deps.aside, wantedBy(run)))
  await finish(tx, run, result, now !== result.hash)
  await cover(tx, { companyId, id })
  await markSums(tx, companyId, [{ operationIds: [operationId], from: run.startsOn, to: run.endsOn }])
  if (now === result.hash) await tellDone(tx, deps, run, result)
  else if (run.kind === 'provisional')
    for (const { from } of monthsOf(result.input))
      await enqueue(tx, 'allocations.refresh', { companyId, operationId, month: monthOf(from) })
}

export const wantedBy = ({ companyId, operationId, startsOn, endsOn, estimated, estimateBy }: RunRow) => ({
  companyId,
  operationId,
  estimated,
  estimateBy,
  from: startsOn,
  to: endsOn,
})

/** What a finished run lacked, a sentence each. */
export const shortfallOf = async (db: Db, run: RunRow): Promise<string[]> =>
  // Written by the run in this shape.
  foundShortfall(await loadInput(db, wantedBy(run)), (run.completeness as Completeness | null) ?? nothingYet())

/** Seen by others at once: the run's own transaction is still open. */
const say = (aside: Db, { companyId, id }: RunRow, progress: number) =>
  aside.execute(sql`
    update allocation_runs set status = 'running', progress = ${progress},
      started_at = ${progress === 0 ? sql`now()` : sql`started_at`}
     where company_id = ${companyId} and id = ${id} and status in ('queued', 'running')`)

const SAY_EVERY_MS = 400

async function store(deps: Deps, tx: Db, run: RunRow, view: Db, input: RunInput, signal: AbortSignal | undefined) {
  const hash = createResultHash()
  const counts = noCounts()
  const sums = noTotals()
  const completeness = nothingYet()
  let said = Date.now()
  for await (const part of computeRun(view, input)) {
    signal?.throwIfAborted()
    addTo(counts, part.counts)
    addTo(sums, part.sums)
    addCompleteness(completeness, part)
    for (const row of part.days) hash.day(row)
    for (const row of part.totals) hash.total(row)
    for (const row of part.pairs) hash.pair(row)
    await writePart(tx, run, part)
    if (Date.now() - said < SAY_EVERY_MS) continue
    said = Date.now()
    await say(deps.aside, run, Math.max(1, Math.floor(part.done * 95)))
  }
  return { counts, completeness, totals: wholeTotals(sums, input.batteries.length > 0), resultHash: hash.digest() }
}

type Result = Awaited<ReturnType<typeof store>> & { input: RunInput; hash: string }

const CHANGED = 'Des données ont changé pendant le calcul.'

const finish = (
  tx: Db,
  { companyId, id }: RunRow,
  { counts, completeness, totals, resultHash, input, hash }: Result,
  stale: boolean,
) => {
  const keys = input.keys.map(({ version: { id, number, method } }) => ({ id, number, method }))
  return tx.execute(sql`
    update allocation_runs set status = 'done', progress = 100, message = '', finished_at = now(),
      engine_version = ${ENGINE_VERSION}, input_hash = ${hash}, result_hash = ${resultHash}, key_ids = ${JSON.stringify(keys)}::jsonb,
      counts = ${JSON.stringify(counts)}::jsonb, completeness = ${JSON.stringify(completeness)}::jsonb, totals = ${JSON.stringify(totals)}::jsonb,
      stale_at = ${stale ? sql`now()` : null}, stale_reason = ${stale ? CHANGED : ''}
     where company_id = ${companyId} and id = ${id}`)
}

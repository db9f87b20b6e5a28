import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { enedisCredentials, pointLinks, syncAttempts, syncTasks, syncWindows } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { findJobRefusal } from '../../../http/job-actor.ts'
import { buildDistributorFault, type DistributorFault } from '../../../integrations/enedis/enedis-faults.ts'
import { archiveAnswers, findEnedisHost } from '../credentials/index.ts'
import { updateArrivalTimes } from './arrival-times.ts'
import { type Clock, MAX_WAIT_MS, SYSTEM_CLOCK, type SyncRun, sleepUnlessNeeded } from './call-slots.ts'
import { endSyncTask, requestRefreshOfEndedTasks } from './change-tasks.ts'
import { handleCallOutcomes, type WindowUpdate } from './handle-call-outcomes.ts'
import { isAnswered, recordBatchEvents, storeAnswers } from './store-answers.ts'
import {
  type CallOutcome,
  type ClaimedWindow,
  callWindow,
  claimWindows,
  resumeWindows,
  type SyncJob,
} from './sync-windows.ts'
import { updateTaskProgress } from './task-progress.ts'

const WINDOWS_PER_BATCH = 48
const PARALLEL_CALLS = 6
/** Then another run continues: an endless run could not be told from one that hangs. */
const MAX_RUN_MS = 3_600_000
/** How long to wait for the simulator, which starts at the same time as the server. */
const SIMULATOR_START_SECONDS = 20

type SyncRunOptions = {
  clock?: Clock
  signal?: AbortSignal
  /** Milliseconds before a call is aborted. */
  timeout?: number
  random?: () => number
}

async function createSyncRun(
  deps: Deps,
  { companyId, credentialId }: SyncJob,
  options: SyncRunOptions,
): Promise<SyncRun | undefined> {
  const [credential] = await deps.db
    .select()
    .from(enedisCredentials)
    .where(and(eq(enedisCredentials.companyId, companyId), eq(enedisCredentials.id, credentialId)))
  if (!credential) return undefined
  return {
    deps,
    credential,
    clock: options.clock ?? SYSTEM_CLOCK,
    signal: options.signal,
    timeout: options.timeout,
    random: options.random ?? Math.random,
    blocked: new Map(),
    haltedUntil: undefined,
    troubled: credential.circuit !== 'closed' || credential.circuitFailures > 0,
  }
}

/**
 * Calls to a simulator that has not started would fail and open the circuit breaker: they are left for the next run.
 */
async function waitForHost({ deps, credential, clock, signal }: SyncRun): Promise<boolean> {
  for (let waited = 0; waited < SIMULATOR_START_SECONDS; waited++) {
    if (findEnedisHost(deps, credential.environment)) return true
    await clock.sleep(1000, signal)
  }
  return false
}

/** Milliseconds until the next call is due; null when none waits. */
async function loadMsUntilDue(db: Db, { companyId, credentialId }: SyncJob, now: Date): Promise<number | null> {
  const { rows } = await db.execute<{ at: string | null }>(sql`
    select extract(epoch from greatest(min(w.next_at), min(c.paused_until))) * 1000 as at
      from sync_windows w join enedis_credentials c on c.company_id = w.company_id and c.id = w.credential_id
     where w.company_id = ${companyId} and w.credential_id = ${credentialId} and w.status = 'waiting'`)
  const at = rows[0]?.at
  return at === null || at === undefined ? null : Math.max(0, Number(at) - now.getTime())
}

/** Makes the due calls of a credential and waits for those due soon. Only one run at a time per credential. */
export async function runSyncOfCredential(deps: Deps, job: SyncJob, options: SyncRunOptions = {}): Promise<void> {
  const run = await createSyncRun(deps, job, options)
  if (!run) return
  const { clock, signal } = run
  await resumeWindows(deps.db, job)
  if (!(await waitForHost(run))) return
  const end = clock.now().getTime() + MAX_RUN_MS
  let storing: Promise<void> = Promise.resolve()
  let called = false
  while (clock.now().getTime() < end) {
    signal?.throwIfAborted()
    await endUnauthorizedTasks(deps.db, job, clock.now())
    const batch = await claimWindows(deps.db, job, WINDOWS_PER_BATCH, clock.now())
    if (batch.length) {
      const outcomes = await raceWithAbort(callAll(run, batch), signal)
      await storing
      // The next calls are made while these outcomes are stored.
      storing = storeBatch(run, outcomes)
      storing.catch(() => {})
      called = true
      continue
    }
    await storing
    const wait = await loadMsUntilDue(deps.db, job, clock.now())
    if (wait === null || wait > MAX_WAIT_MS || !(await sleepUnlessNeeded(run, Math.max(wait, 20)))) break
  }
  await storing
  if (called) await recordSyncTime(deps, job, clock.now())
}

async function callAll(run: SyncRun, batch: ClaimedWindow[]): Promise<CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  const left = batch.values()
  const work = async () => {
    for (const window of left) outcomes.push(await callWindow(run, window))
  }
  await Promise.all(Array.from({ length: PARALLEL_CALLS }, work))
  return outcomes
}

/** When the process stops, the pending answer is abandoned and its call is repeated later. */
async function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  work.catch(() => {})
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const recordSyncTime = (deps: Deps, { companyId, credentialId }: SyncJob, lastSyncAt: Date) =>
  deps.db
    .update(enedisCredentials)
    .set({ lastSyncAt })
    .where(and(eq(enedisCredentials.companyId, companyId), eq(enedisCredentials.id, credentialId)))

/**
 * Stores outcomes in one transaction, or one by one when that fails, so that an outcome that cannot be stored does not
 * lose the others.
 */
async function storeBatch(run: SyncRun, outcomes: CallOutcome[]): Promise<void> {
  try {
    await transaction(run.deps.db, (tx) => storeOutcomes(tx, run, outcomes))
  } catch (error) {
    if (outcomes.length === 1) return storeAsFailed(run, outcomes, error)
    for (const outcome of outcomes) await storeBatch(run, [outcome])
  }
}

async function storeAsFailed(run: SyncRun, outcomes: CallOutcome[], error: unknown): Promise<void> {
  run.deps.log.error({ err: error, credential: run.credential.id }, 'what the distributor answered was not kept')
  const fault: DistributorFault = {
    ...buildDistributorFault('unreadable', null, error instanceof Error ? error.message.slice(0, 200) : ''),
    explanation: 'La réponse du distributeur a été reçue mais n’a pas pu être enregistrée.',
  }
  const broken = outcomes.map(({ window, traces, at }) => ({
    window,
    traces,
    at,
    failed: { fault, requestId: traces.at(-1)?.requestId ?? '' },
  }))
  await transaction(run.deps.db, (tx) => storeOutcomes(tx, run, broken))
}

/** Clears the doubtful fault of points that answer again. */
async function clearFaults(tx: Db, companyId: number, pointIds: string[]): Promise<void> {
  if (!pointIds.length) return
  await tx
    .update(pointLinks)
    .set({ fault: null })
    .where(
      and(
        eq(pointLinks.companyId, companyId),
        inArray(pointLinks.pointId, pointIds),
        sql`${pointLinks.blockedAt} is null and ${pointLinks.fault} is not null`,
      ),
    )
}

async function storeOutcomes(tx: Db, run: SyncRun, all: CallOutcome[]): Promise<void> {
  const { companyId } = run.credential
  const now = run.clock.now()
  const outcomes = await filterStillRunning(tx, companyId, all)
  if (!outcomes.length) return
  const hashes = await storeAttempts(tx, companyId, outcomes, now)
  const brought = await storeAnswers(tx, companyId, outcomes, now)
  const { settled, taskIds, refusals } = await handleCallOutcomes(tx, run, outcomes, { now, hashes })
  await updateWindows(tx, companyId, settled)
  const points = listAnsweredPoints(outcomes)
  await clearFaults(tx, companyId, points.all)
  await updateArrivalTimes(tx, companyId, points.timely, now)
  const ids = [...new Set([...brought.keys(), ...taskIds])]
  const added = new Map([...brought].map(([taskId, one]) => [taskId, one.added]))
  await updateTaskProgress(tx, companyId, ids, now, added)
  await requestRefreshOfEndedTasks(tx, companyId, ids)
  await recordBatchEvents(tx, run, brought, refusals)
}

/** Leaves out calls that were cancelled meanwhile. */
async function filterStillRunning(tx: Db, companyId: number, outcomes: CallOutcome[]): Promise<CallOutcome[]> {
  const ids = outcomes.map(({ window }) => window.id)
  const rows = await tx
    .select({ id: syncWindows.id })
    .from(syncWindows)
    .where(and(eq(syncWindows.companyId, companyId), inArray(syncWindows.id, ids), eq(syncWindows.status, 'running')))
    .orderBy(syncWindows.id)
    .for('update')
  const ours = new Set(rows.map(({ id }) => id))
  return outcomes.filter(({ window }) => ours.has(window.id))
}

/** Stores the attempts with the hash of each archived answer. */
async function storeAttempts(
  tx: Db,
  companyId: number,
  outcomes: CallOutcome[],
  now: Date,
): Promise<Map<string, string>> {
  const traces = outcomes.flatMap((outcome) => outcome.traces)
  const hashes = await archiveAnswers(tx, companyId, traces, now)
  const rows = outcomes.flatMap((outcome) =>
    outcome.traces.map(({ request, status, requestId, milliseconds }, at) => {
      const last = at === outcome.traces.length - 1
      const code = last && 'failed' in outcome ? outcome.failed.fault.code : ''
      return {
        companyId,
        windowId: outcome.window.id,
        at: outcome.at,
        request,
        status,
        code,
        requestId,
        milliseconds: Math.round(milliseconds),
        sha256: hashes.get(requestId) ?? null,
      }
    }),
  )
  if (rows.length) await tx.insert(syncAttempts).values(rows)
  return hashes
}

async function updateWindows(tx: Db, companyId: number, settled: WindowUpdate[]): Promise<void> {
  const of = <T>(pick: (one: WindowUpdate) => T) => sql.param(settled.map(pick))
  await tx.execute(sql`
    update sync_windows w set status = g.status, attempts = g.attempts, next_at = coalesce(g.next_at, w.next_at),
           fault = g.fault, finished_at = g.finished_at
      from unnest(${of(({ id }) => id)}::uuid[], ${of(({ status }) => status)}::text[],
        ${of(({ attempts }) => attempts)}::int[], ${of(({ nextAt }) => nextAt?.toISOString() ?? null)}::timestamptz[],
        ${of(({ fault }) => (fault ? JSON.stringify(fault) : null))}::jsonb[],
        ${of(({ finishedAt }) => finishedAt?.toISOString() ?? null)}::timestamptz[])
        g(id, status, attempts, next_at, fault, finished_at)
     where w.company_id = ${companyId} and w.id = g.id`)
}

const TIMELY_TRIGGERS = new Set(['schedule', 'weekly', 'gap'])

/** Only scheduled requests show when readings become available. */
function listAnsweredPoints(outcomes: CallOutcome[]) {
  const answered = outcomes.filter((outcome) => isAnswered(outcome) && outcome.got.kind === 'load-curve')
  const ids = (some: CallOutcome[]) => [...new Set(some.flatMap(({ window }) => window.pointId ?? []))]
  const timely = answered.filter(({ window: { trigger } }) => TIMELY_TRIGGERS.has(trigger))
  return { all: ids(answered), timely: ids(timely) }
}

/**
 * Ends the tasks of users who have lost the permission, before any further call. A user limited to some operations
 * never has it, since it covers the whole company.
 */
async function endUnauthorizedTasks(db: Db, { companyId, credentialId }: SyncJob, now: Date): Promise<void> {
  const open = and(
    eq(syncTasks.credentialId, credentialId),
    isNull(syncTasks.finishedAt),
    isNotNull(syncTasks.createdBy),
  )
  const tasks = await db
    .select({
      id: syncTasks.id,
      userId: syncTasks.createdBy,
      keyId: syncTasks.keyId,
    })
    .from(syncTasks)
    .where(and(eq(syncTasks.companyId, companyId), open))
  for (const { id, ...requester } of tasks) {
    const refusal = await findJobRefusal(db, { companyId, ...requester }, { permission: 'sync.write' })
    if (refusal) await transaction(db, (tx) => endSyncTask(tx, companyId, id, refusal.message, now))
  }
}

import { and, eq } from 'drizzle-orm'
import { enedisCredentials } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { findEnedisHost } from '../enedis/enedis.ts'
import { type CallOutcome, callWindow } from './calls.ts'
import { type ClaimedWindow, claimWindows, loadMsUntilDue, resumeWindows, type SyncJob } from './claim.ts'
import { type Clock, SYSTEM_CLOCK } from './clock.ts'
import { storeBatch } from './keep.ts'
import { MAX_WAIT_MS, type SyncRun, sleepUnlessNeeded } from './turn.ts'
import { endUnauthorizedTasks } from './unasked.ts'

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

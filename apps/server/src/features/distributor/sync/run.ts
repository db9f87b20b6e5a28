import { and, eq } from 'drizzle-orm'
import { enedisCredentials } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { hostOf } from '../enedis/enedis.ts'
import { callWindow, type Outcome } from './calls.ts'
import { type Claimed, claimWindows, type Job, resumeWindows, untilDue } from './claim.ts'
import { CLOCK, type Clock } from './clock.ts'
import { keepBatch } from './keep.ts'
import { type Run, rest, SHORT_MS } from './turn.ts'
import { endUnasked } from './unasked.ts'

const BATCH = 48
const AT_ONCE = 6
/** Then the next run goes on: one that is never over could not be told from one that hangs. */
const LONGEST_MS = 3_600_000
/** How long the stand-in is waited for, which starts beside the server. */
const START_SECONDS = 20

type Options = {
  clock?: Clock
  signal?: AbortSignal
  /** Milliseconds before a call is given up. */
  timeout?: number
  random?: () => number
}

async function openRun(deps: Deps, { companyId, credentialId }: Job, options: Options): Promise<Run | undefined> {
  const [credential] = await deps.db
    .select()
    .from(enedisCredentials)
    .where(and(eq(enedisCredentials.companyId, companyId), eq(enedisCredentials.id, credentialId)))
  if (!credential) return undefined
  return {
    deps,
    credential,
    clock: options.clock ?? CLOCK,
    signal: options.signal,
    timeout: options.timeout,
    random: options.random ?? Math.random,
    blocked: new Map(),
    haltedUntil: undefined,
    troubled: credential.circuit !== 'closed' || credential.circuitFailures > 0,
  }
}

/** Calls to a stand-in that is not there yet would only fail, and open the circuit: they are for the next run. */
async function isThere({ deps, credential, clock, signal }: Run): Promise<boolean> {
  for (let waited = 0; waited < START_SECONDS; waited++) {
    if (hostOf(deps, credential.environment)) return true
    await clock.sleep(1000, signal)
  }
  return false
}

/** Makes the calls of a credential that are due; those that are due soon are waited for. One at a time for each credential. */
export async function runCredential(deps: Deps, job: Job, options: Options = {}): Promise<void> {
  const run = await openRun(deps, job, options)
  if (!run) return
  const { clock, signal } = run
  await resumeWindows(deps.db, job)
  if (!(await isThere(run))) return
  const end = clock.now().getTime() + LONGEST_MS
  let keeping: Promise<void> = Promise.resolve()
  let called = false
  while (clock.now().getTime() < end) {
    signal?.throwIfAborted()
    await endUnasked(deps.db, job, clock.now())
    const batch = await claimWindows(deps.db, job, BATCH, clock.now())
    if (batch.length) {
      const outcomes = await orAborted(callAll(run, batch), signal)
      await keeping
      // The next calls go while these are stored.
      keeping = keepBatch(run, outcomes)
      keeping.catch(() => {})
      called = true
      continue
    }
    await keeping
    const wait = await untilDue(deps.db, job, clock.now())
    if (wait === null || wait > SHORT_MS || !(await rest(run, Math.max(wait, 20)))) break
  }
  await keeping
  if (called) await noteSync(deps, job, clock.now())
}

async function callAll(run: Run, batch: Claimed[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const left = batch.values()
  const work = async () => {
    for (const window of left) outcomes.push(await callWindow(run, window))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcomes
}

/** An answer that is on its way is not waited for when the process stops: its call is made again. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
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

const noteSync = (deps: Deps, { companyId, credentialId }: Job, lastSyncAt: Date) =>
  deps.db
    .update(enedisCredentials)
    .set({ lastSyncAt })
    .where(and(eq(enedisCredentials.companyId, companyId), eq(enedisCredentials.id, credentialId)))

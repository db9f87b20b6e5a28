import { setTimeout } from 'node:timers/promises'
import { localTime } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { type DistributorFault, EnedisError } from '../../../integrations/enedis/enedis-faults.ts'
import { acquireCallSlot, type CredentialRow } from '../credentials/index.ts'

/** Longer waits are slept through only while no other run needs the worker slot, which is checked this often. */
const MAX_SILENT_WAIT_MS = 2000
const POLL_MS = 5000
/** Longer waits end the run: a later run makes the calls when they are due. */
export const MAX_WAIT_MS = 60_000

export type CallFailure = { fault: DistributorFault; retryAt?: Date | undefined; requestId: string }

/** State shared by the calls of one run of a credential. */
export type SyncRun = {
  deps: Deps
  credential: CredentialRow
  clock: Clock
  signal: AbortSignal | undefined
  timeout: number | undefined
  random: () => number
  /** Points whose consent was lost during this run. */
  blocked: Map<string, DistributorFault>
  /** No call is made before this time. */
  haltedUntil: Date | undefined
  /** True when the circuit breaker has recorded failures that a success must clear. */
  troubled: boolean
}

/** Whether runs of other credentials wait for a worker slot. */
async function hasWaitingRuns({ deps, credential }: SyncRun): Promise<boolean> {
  const { rowCount } = await deps.db.execute(sql`
    select 1 from jobs.job where name = 'sync.run' and state = 'created' and start_after <= now()
       and singleton_key is distinct from ${credential.id} limit 1`)
  return Boolean(rowCount)
}

/** Sleeps unless another run needs the worker slot: then returns false, and a later run continues. */
export async function sleepUnlessNeeded(run: SyncRun, ms: number): Promise<boolean> {
  const { clock, signal } = run
  for (let left = ms; left > 0; left -= POLL_MS) {
    if (ms > MAX_SILENT_WAIT_MS && (await hasWaitingRuns(run))) return false
    await clock.sleep(Math.min(left, POLL_MS), signal)
  }
  return true
}

/** No rate limit slot was free soon enough: the call is made later. */
export class CallPostponedError extends Error {
  readonly until: Date
  constructor(until: Date) {
    super('put off')
    this.until = until
  }
}

/** Waits for a rate limit slot. Returns the time to come back when that is far away. */
export async function waitForSlot(run: SyncRun): Promise<Date | undefined> {
  const { deps, credential, clock, signal } = run
  for (;;) {
    signal?.throwIfAborted()
    const now = clock.now()
    if (run.haltedUntil && run.haltedUntil > now) return run.haltedUntil
    const wait = await acquireCallSlot(deps.db, credential, { quotas: deps.enedis.quotas, now })
    if (wait === 0) return undefined
    if (wait > 1000) run.troubled = true
    if (wait <= MAX_WAIT_MS && (await sleepUnlessNeeded(run, wait))) continue
    run.haltedUntil = new Date(now.getTime() + wait)
    return run.haltedUntil
  }
}

export function toCallFailure(error: unknown): CallFailure {
  if (!(error instanceof EnedisError)) throw error
  return { fault: error.fault, retryAt: error.retryAt, requestId: error.requestId }
}

/** The source of time and of delays: a test that replaces it runs a month in seconds. */
export type Clock = { now(): Date; sleep(ms: number, signal?: AbortSignal): Promise<void> }

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    await setTimeout(ms, undefined, signal && { signal })
  },
}

/** Local time in Paris. */
export const getParisTime = (at: Date) => localTime(Math.floor(at.getTime() / 60_000))

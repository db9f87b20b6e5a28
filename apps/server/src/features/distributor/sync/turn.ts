import { EnedisError, type Fault } from '../../../adapters/enedis/faults.ts'
import type { Deps } from '../../../deps.ts'
import { type CredentialRow, pause, reportCall, takeCall } from '../enedis/enedis.ts'
import type { Clock } from './clock.ts'
import { verdictOf } from './nature.ts'

/** Waits longer than this are not slept through: the calls are taken up again when they are due. */
export const SHORT_MS = 60_000

export type Failure = { fault: Fault; retryAt?: Date | undefined; requestId: string }

/** What the calls of one run of a credential share. */
export type Run = {
  deps: Deps
  credential: CredentialRow
  clock: Clock
  signal: AbortSignal | undefined
  timeout: number | undefined
  random: () => number
  /** Points whose consent was lost in this run. */
  blocked: Map<string, Fault>
  /** Nothing is called before. */
  haltedUntil: Date | undefined
  /** The circuit has something to hear of a success. */
  troubled: boolean
}

/** Waits for a place within the quotas. Gives the moment to come back where it is far. */
export async function turn(run: Run): Promise<Date | undefined> {
  const { deps, credential, clock, signal } = run
  for (;;) {
    signal?.throwIfAborted()
    const now = clock.now()
    if (run.haltedUntil && run.haltedUntil > now) return run.haltedUntil
    const wait = await takeCall(deps.db, credential, { quotas: deps.enedis.quotas, now })
    if (wait === 0) return undefined
    if (wait > 1000) run.troubled = true
    if (wait > SHORT_MS) {
      run.haltedUntil = new Date(now.getTime() + wait)
      return run.haltedUntil
    }
    await clock.sleep(wait, signal)
  }
}

/** The credential hears of how a call ended; quotas and refused credentials stop the calls beside this one as well. */
export async function report(run: Run, failure?: Failure): Promise<void> {
  const { deps, credential, clock } = run
  const now = clock.now()
  if (!failure) {
    if (run.troubled) await reportCall(deps.db, credential, 'ok', now)
    run.troubled = false
    return
  }
  const { nature } = failure.fault
  if (nature === 'transient' || nature === 'answer') {
    run.troubled = true
    await reportCall(deps.db, credential, 'failure', now)
  }
  const { pauseUntil } = verdictOf({ ...failure, attempts: 0, now })
  if (!pauseUntil) return
  await pause(deps.db, credential, pauseUntil)
  if (nature === 'auth' || pauseUntil.getTime() - now.getTime() > SHORT_MS) run.haltedUntil = pauseUntil
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof EnedisError)) throw error
  return { fault: error.fault, retryAt: error.retryAt, requestId: error.requestId }
}

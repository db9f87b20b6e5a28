import type { DistributorFault } from '../../../integrations/enedis/enedis-faults.ts'

const BASE_BACKOFF_MS = 2000
const MAX_BACKOFF_MS = 15 * 60_000
const MAX_ATTEMPTS = 8
/** One attempt per quarter of an hour at most, over about a day. */
const MAX_PATIENT_ATTEMPTS = 105
/** Pause before the second and last attempt with refused credentials. */
const AUTH_RETRY_MS = 30_000
const QUOTA_PAUSES_MS: Record<string, number> = { 'quota q3 reached': 1000, 'quota q4 reached': 3_600_000 }
const DEFAULT_QUOTA_PAUSE_MS = 60_000

/** A refusal of the point's readings; a refusal of the agreement's figures says nothing about consent. */
export const isConsentLoss = ({ kind }: { kind: string }, { nature }: DistributorFault) =>
  nature === 'consent' && (kind === 'load-curve' || kind === 'daily-energy')

/** Refused by a gateway, or together with many others: it will pass by itself. */
const isPatient = ({ code, status, nature }: DistributorFault) =>
  nature === 'transient' && (code === 'refused' || code === 'mass-refusal' || status === 403)

/** What to do after a failed call. */
type RetryDecision = {
  status: 'waiting' | 'failed' | 'done'
  nextAt: Date
  /** Whether the failure counts towards the maximum number of attempts. */
  counts: boolean
  /** No call of the credential before this time. */
  pauseUntil?: Date
}

export type FailedCall = {
  fault: DistributorFault
  attempts: number
  /** The nature of the previous failure, if any. */
  last?: string | null
  retryAt?: Date | undefined
  now: Date
}

/**
 * Random delay up to a bound that doubles (full jitter), so that calls that failed together are not retried together.
 */
export const computeBackoff = (attempts: number, random: () => number) =>
  Math.ceil(random() * Math.min(MAX_BACKOFF_MS, BASE_BACKOFF_MS * 2 ** attempts))

const addMs = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** A retry time is obeyed whatever the failure; waiting for it does not count as an attempt. */
export function decideRetry(failed: FailedCall, random = Math.random): RetryDecision {
  const { retryAt, now, fault } = failed
  const verdict = decideRetryByNature(failed, random)
  if (!retryAt || retryAt <= now) return verdict
  if (fault.nature === 'auth') return { ...verdict, pauseUntil: retryAt, nextAt: retryAt }
  if (fault.nature !== 'transient' && fault.nature !== 'answer') return { ...verdict, pauseUntil: retryAt }
  return { status: 'waiting', nextAt: retryAt, counts: false, pauseUntil: retryAt }
}

function decideRetryByNature({ fault, attempts, last, retryAt, now }: FailedCall, random: () => number): RetryDecision {
  const end = (status: 'failed' | 'done'): RetryDecision => ({ status, nextAt: now, counts: true })
  if (fault.nature === 'quota') {
    const given = retryAt && retryAt > now ? retryAt : undefined
    const until = given ?? addMs(now, QUOTA_PAUSES_MS[fault.code.toLowerCase()] ?? DEFAULT_QUOTA_PAUSE_MS)
    return { status: 'waiting', nextAt: until, counts: false, pauseUntil: until }
  }
  if (fault.nature === 'auth') {
    if (last === 'auth') return end('failed')
    const until = addMs(now, AUTH_RETRY_MS)
    return { status: 'waiting', nextAt: until, counts: true, pauseUntil: until }
  }
  if (fault.nature === 'transient' || fault.nature === 'answer') {
    if (attempts + 1 >= (isPatient(fault) ? MAX_PATIENT_ATTEMPTS : MAX_ATTEMPTS)) return end('failed')
    return { status: 'waiting', nextAt: addMs(now, computeBackoff(attempts, random)), counts: true }
  }
  return end(fault.nature === 'no-data' ? 'done' : 'failed')
}

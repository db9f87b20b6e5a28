import { setTimeout as sleep } from 'node:timers/promises'
import type { EnedisTrace } from '@voisol/contract/enedis'
import { EnedisError, isDistributorFailure } from '../../../adapters/enedis/faults.ts'
import { getLatestDate } from '../../../adapters/enedis/refusal.ts'
import type { EnedisClient, ExchangeTrace } from '../../../adapters/enedis/types.ts'
import { type Db, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { archiveAnswers } from './answers.ts'
import { connectToEnedis } from './connect.ts'
import { type CredentialRow, decryptClientKeys } from './credentials.ts'
import { acquireCallSlot, pauseCalls, recordCallOutcome, recordExtraCalls } from './pace.ts'

export type EnedisCallDeps = Pick<Deps, 'db' | 'aside' | 'secrets' | 'enedis'>
type TraceListener = (trace: ExchangeTrace) => void
/** The parsed answer of a manual call, if there is one, and the exchange in any case. */
export type EnedisCallResult<T> = { value: T | undefined; trace: EnedisTrace }

/** How long a user waits for a rate limit slot, and then for the answer. */
const CALL_SLOT_TIMEOUT_MS = 5000
const ANSWER_TIMEOUT_MS = 30_000
const HIDDEN_TEXT = '•••'

/** Counted on separate connections, so that the count remains when the request's transaction is rolled back. */
async function waitForCallSlot({ aside, enedis }: EnedisCallDeps, credential: CredentialRow) {
  const until = Date.now() + CALL_SLOT_TIMEOUT_MS
  for (;;) {
    const wait = await acquireCallSlot(aside, credential, { quotas: enedis.quotas })
    if (wait === 0) return
    if (Date.now() + wait > until) {
      const retryAfter = Math.ceil(wait / 1000)
      const message = `Les appels de ces identifiants sont suspendus (quota atteint ou pannes répétées du distributeur)\u00a0: ils reprennent dans ${retryAfter}\u00a0s.`
      throw new AppError('throttled', { message, retryAfter })
    }
    await sleep(wait)
  }
}

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

const toCallOutcome = (failure: EnedisError | undefined) =>
  failure && isDistributorFailure(failure.fault) ? 'failure' : failure?.fault.nature === 'consent' ? 'refused' : 'ok'
type FinishedCall = { failure: EnedisError | undefined; traces: ExchangeTrace[] }

/** Updates the circuit breaker from the result of a call, and obeys a requested pause. */
export async function recordCallResult(db: Db, credential: CredentialRow, { failure, traces }: FinishedCall) {
  const nature = failure?.fault.nature
  if (nature !== 'quota') await recordCallOutcome(db, credential, toCallOutcome(failure))
  const rest = failure?.fault.code === 'Quota Q4 reached' ? HOUR_MS : SECOND_MS
  const usual = nature === 'quota' ? new Date(Date.now() + rest) : undefined
  const pausedUntil = getLatestDate(failure?.retryAt, ...traces.map(({ retryAt }) => retryAt)) ?? usual
  if (pausedUntil) await pauseCalls(db, credential, pausedUntil)
}

/** Masks the client secret, which an error answer may repeat. */
function maskClientKeys(text: string, deps: EnedisCallDeps, credential: CredentialRow): string {
  if (credential.environment === 'local') return text
  const { clientId, clientSecret } = decryptClientKeys(deps.secrets, credential)
  return text.replaceAll(clientSecret, HIDDEN_TEXT).replaceAll(clientId, HIDDEN_TEXT)
}

/** The token exchange is cached and not traced; when it fails, its error is the trace. */
const buildSignInTrace = (error: EnedisError | undefined): Omit<ExchangeTrace, 'requestId'> => ({
  request: 'POST /oauth2/v3/token',
  status: error?.fault.status ?? null,
  milliseconds: 0,
  headers: {},
  body: '',
})

/** Makes one rate-limited call, then counts and archives it; a refusal of the distributor is a normal result. */
export async function callEnedis<T>(
  deps: EnedisCallDeps,
  credential: CredentialRow,
  work: (enedis: EnedisClient, listen: TraceListener) => Promise<T>,
): Promise<EnedisCallResult<T>> {
  await waitForCallSlot(deps, credential)
  const traces: ExchangeTrace[] = []
  const listen = (trace: ExchangeTrace) => void traces.push(trace)
  let slots = 1
  const turn = async () => {
    await waitForCallSlot(deps, credential)
    slots++
  }
  let value: T | undefined
  let failure: EnedisError | undefined
  try {
    value = await work(connectToEnedis(deps, credential, { listen, timeout: ANSWER_TIMEOUT_MS, turn }), listen)
  } catch (error) {
    if (!(error instanceof EnedisError)) throw error
    failure = error
  }
  await recordExtraCalls(deps.aside, credential, traces.length - slots)
  await recordCallResult(deps.aside, credential, { failure, traces })
  const hashes = await transaction(deps.db, (tx) => archiveAnswers(tx, credential.companyId, traces))
  const last = traces.at(-1)
  const { request, status, milliseconds, headers, body } = last ?? buildSignInTrace(failure)
  const trace: EnedisTrace = {
    request,
    status,
    headers,
    body: maskClientKeys(body, deps, credential),
    milliseconds: Math.round(milliseconds * 10) / 10,
    sha256: (last && hashes.get(last.requestId)) ?? null,
    fault: failure?.fault ?? null,
  }
  return { value, trace }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { EnedisTrace } from '@voisol/contract/enedis'
import { EnedisError, isFailure } from '../../../adapters/enedis/faults.ts'
import { latest } from '../../../adapters/enedis/refusal.ts'
import type { Enedis, Trace } from '../../../adapters/enedis/types.ts'
import { type Db, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { keepAnswers } from './answers.ts'
import { connect } from './connect.ts'
import { type CredentialRow, openKeys } from './credentials.ts'
import { addCalls, pause, reportCall, takeCall } from './pace.ts'

export type Through = Pick<Deps, 'db' | 'aside' | 'secrets' | 'enedis'>
type Listen = (trace: Trace) => void
/** What a call by hand gives: the answer where there is one, and the exchange in any case. */
export type Called<T> = { value: T | undefined; trace: EnedisTrace }

/** A person waits this long for their turn, and this long for the answer. */
const TURN_MS = 5000
const ANSWER_MS = 30_000
const HIDDEN = '•••'

/** Counted on connections of its own: the count stands whatever becomes of the request. */
async function waitForTurn({ aside, enedis }: Through, credential: CredentialRow) {
  const until = Date.now() + TURN_MS
  for (;;) {
    const wait = await takeCall(aside, credential, { quotas: enedis.quotas })
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

const outcomeOf = (failure: EnedisError | undefined) =>
  failure && isFailure(failure.fault) ? 'failure' : failure?.fault.nature === 'consent' ? 'refused' : 'ok'
type Ended = { failure: EnedisError | undefined; traces: Trace[] }

/** What the outcome says of the distributor: it fails, or it answers; and in either case it may ask for a rest. */
export async function settleCall(db: Db, credential: CredentialRow, { failure, traces }: Ended) {
  const nature = failure?.fault.nature
  if (nature !== 'quota') await reportCall(db, credential, outcomeOf(failure))
  const rest = failure?.fault.code === 'Quota Q4 reached' ? HOUR_MS : SECOND_MS
  const usual = nature === 'quota' ? new Date(Date.now() + rest) : undefined
  const told = latest(failure?.retryAt, ...traces.map(({ retryAt }) => retryAt)) ?? usual
  if (told) await pause(db, credential, told)
}

/** No answer shows what opens the door, even one that echoes it. */
function withoutSecrets(text: string, deps: Through, credential: CredentialRow): string {
  if (credential.environment === 'local') return text
  const { clientId, clientSecret } = openKeys(deps.secrets, credential)
  return text.replaceAll(clientSecret, HIDDEN).replaceAll(clientId, HIDDEN)
}

/** The sign-in is shared and told to nobody: where it fails, it is the exchange. */
const signInTrace = (error: EnedisError | undefined): Omit<Trace, 'requestId'> => ({
  request: 'POST /oauth2/v3/token',
  status: error?.fault.status ?? null,
  milliseconds: 0,
  headers: {},
  body: '',
})

/** One call in its turn, counted, archived and told; a refusal of the distributor's is an answer like any other. */
export async function callThrough<T>(
  deps: Through,
  credential: CredentialRow,
  work: (enedis: Enedis, listen: Listen) => Promise<T>,
): Promise<Called<T>> {
  await waitForTurn(deps, credential)
  const traces: Trace[] = []
  const listen = (trace: Trace) => void traces.push(trace)
  let turns = 1
  const turn = async () => {
    await waitForTurn(deps, credential)
    turns++
  }
  let value: T | undefined
  let failure: EnedisError | undefined
  try {
    value = await work(connect(deps, credential, { listen, timeout: ANSWER_MS, turn }), listen)
  } catch (error) {
    if (!(error instanceof EnedisError)) throw error
    failure = error
  }
  await addCalls(deps.aside, credential, traces.length - turns)
  await settleCall(deps.aside, credential, { failure, traces })
  const hashes = await transaction(deps.db, (tx) => keepAnswers(tx, credential.companyId, traces))
  const last = traces.at(-1)
  const { request, status, milliseconds, headers, body } = last ?? signInTrace(failure)
  const trace: EnedisTrace = {
    request,
    status,
    headers,
    body: withoutSecrets(body, deps, credential),
    milliseconds: Math.round(milliseconds * 10) / 10,
    sha256: (last && hashes.get(last.requestId)) ?? null,
    fault: failure?.fault ?? null,
  }
  return { value, trace }
}

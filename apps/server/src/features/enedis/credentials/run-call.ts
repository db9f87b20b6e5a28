import { setTimeout as sleep } from 'node:timers/promises'
import type { EnedisTrace } from '@voisol/contract/enedis'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getLatestDate } from '../../../integrations/enedis/enedis-exchange.ts'
import { EnedisError, isDistributorFailure } from '../../../integrations/enedis/enedis-faults.ts'
import type { EnedisClient, ExchangeTrace } from '../../../integrations/enedis/enedis-types.ts'
import { getToday } from '../../../today.ts'
import { archiveAnswers } from './answer-archive.ts'
import {
  ENEDIS_CALLS,
  ENEDIS_FAULTS,
  type EnedisCallDefinition,
  type ParamValues,
  parseCallParams,
} from './call-catalogue.ts'
import { loadCredential } from './credential-queries.ts'
import {
  type CredentialRow,
  connectToEnedis,
  decryptClientKeys,
  getOrCreateCredential,
  signInToEnedis,
} from './credentials.ts'
import { acquireCallSlot, pauseCalls, recordCallOutcome, recordExtraCalls } from './rate-limits.ts'

/** The named credential, or that of the operation or company, or else the simulator. */
export const chooseCredential = (
  deps: EnedisCallDeps,
  actor: Actor,
  id: string | undefined,
  operationId: string | null = null,
): Promise<CredentialRow> =>
  id ? loadCredential(deps.db, actor, id) : getOrCreateCredential(deps.aside, deps, actor.companyId, operationId)

type CompanyExamples = { acc: string | null; consumption: string | null; production: string | null }
/** An agreement of the company and two of its points, as examples that can be run. */
async function loadCompanyExamples(db: Db, companyId: number): Promise<CompanyExamples | undefined> {
  const one = (direction: string) => sql`(
    select p.prm from participations m join points p on p.company_id = m.company_id and p.id = m.point_id
     where m.company_id = o.company_id and m.operation_id = o.id
       and p.direction = ${direction} and m.ends_on is null order by p.prm limit 1)`
  const { rows } = await db.execute<CompanyExamples>(sql`
    select o.acc_number as acc, ${one('consumption')} as consumption, ${one('production')} as production
      from operations o
     where o.company_id = ${companyId} and o.acc_number is not null and o.status = 'active'
     order by o.created_at, o.id limit 1`)
  return rows[0]
}

function getParamExample(
  { id }: EnedisCallDefinition,
  name: string,
  mine: CompanyExamples | undefined,
): string | null | undefined {
  if (name === 'acc') return mine?.acc
  if (name === 'consumer') return mine?.consumption
  if (name === 'prm') return id.endsWith('production') || id === 'keys' ? mine?.production : mine?.consumption
  // Definitive data exists once the month has ended.
  const month = monthOf(getToday())
  const settled = id === 'series' || id === 'quantities'
  if (name === 'from') return settled ? addMonths(month, -1) : addDays(getToday(), -8)
  if (name === 'to') return settled ? month : addDays(getToday(), -1)
  return undefined
}

export async function listEnedisCalls(db: Db, { companyId }: Actor) {
  const mine = await loadCompanyExamples(db, companyId)
  const calls = ENEDIS_CALLS.map((call) => ({
    ...call,
    params: call.params.map((param) => ({
      ...param,
      example: getParamExample(call, param.name, mine) || param.example,
    })),
  }))
  return { calls, faults: ENEDIS_FAULTS }
}

type RunCallInput = { credentialId?: string | undefined; call: string; params: ParamValues }
const MEASURE_BACKENDS = ['dataconnect-v2', 'dataconnect-v1', 'holder']

/** Runs a manual call over the interface it belongs to, whatever interface the credential prefers. */
export async function runEnedisCall(deps: EnedisCallDeps, actor: Actor, input: RunCallInput): Promise<EnedisTrace> {
  const call = ENEDIS_CALLS.find(({ id }) => id === input.call)
  if (!call) throw fieldError('call', 'Cet appel n’existe pas\u00a0: choisissez-en un dans la liste.')
  const values = parseCallParams(call.params, input.params, call.mostDays)
  const credential = await chooseCredential(deps, actor, input.credentialId)
  if (call.kind === 'writes' && credential.environment === 'production')
    throw new AppError('conflict', {
      message: 'Un envoi de coefficients ne s’essaie pas en production\u00a0: choisissez un bac à sable.',
    })
  const backend = MEASURE_BACKENDS.includes(call.backend) ? call.backend : credential.backend
  const { trace } = await callEnedis(deps, { ...credential, backend }, (enedis, listen) =>
    call.kind === 'sign-in'
      ? signInToEnedis(deps, credential.environment, decryptClientKeys(deps.secrets, credential), { listen })
      : call.run(enedis, values),
  )
  return trace
}

export type EnedisCallDeps = Pick<Deps, 'db' | 'aside' | 'secrets' | 'enedis'>
type TraceListener = (trace: ExchangeTrace) => void
/** The parsed answer of a manual call, if there is one, and the exchange in any case. */
type EnedisCallResult<T> = { value: T | undefined; trace: EnedisTrace }

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
async function recordCallResult(db: Db, credential: CredentialRow, { failure, traces }: FinishedCall) {
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

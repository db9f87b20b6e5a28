import type { Endpoint } from '@voisol/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { type Db, transaction } from '../../../db/client.ts'
import { appendAudit } from '../../../http/audit.ts'
import { getClientNetwork } from '../../../http/client-address.ts'
import { AppError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { clearThrottle, clearThrottles, refundAttempts, throttle } from '../../../http/throttle.ts'
import type { Secrets } from '../../../secrets.ts'
import { findAccountByEmail, findHomeCompanyId, type UserAccount } from './accounts.ts'
import { findKnownDevice } from './devices.ts'
import { getRelyingParty, type RelyingParty } from './passkey-challenges.ts'

export const ATTEMPT_WINDOW_SECONDS = 15 * 60

/** A sign-in attempt: its origin, and the connection outside the transaction for counters and refusals. */
export type SignInAttempt = {
  aside: Db
  secrets: Secrets
  request: FastifyRequest
  endpoint: Endpoint
  party: RelyingParty
}

export const toSignInAttempt = (
  { aside, secrets, request, config }: RouteContext<undefined>,
  endpoint: Endpoint,
): SignInAttempt => ({
  aside,
  secrets,
  request,
  endpoint,
  party: getRelyingParty(request, config),
})

const AUDITED_REFUSALS: ReadonlySet<string> = new Set([
  'credentials',
  'second-factor',
  'passkey',
  'throttled',
  'sso-required',
])

/** Runs a sign-in; a refusal is recorded in the audit log although its transaction is rolled back. */
export async function auditRefusals<T>(attempt: SignInAttempt, email: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && AUDITED_REFUSALS.has(error.code)) await recordRefusal(attempt, email, error.code)
    throw error
  }
}

async function recordRefusal({ aside, secrets, request, endpoint }: SignInAttempt, email: string, reason: string) {
  if (reason === 'throttled' && !(await isFirstRefusalOfWindow(aside, getClientNetwork(request.ip)))) return
  const user = await findAccountByEmail(aside, email)
  const companyId = await findHomeCompanyId(aside, user?.id)
  await transaction(aside, (tx) =>
    appendAudit(tx, secrets, {
      companyId: companyId ?? 0,
      userId: user?.id ?? null,
      actor: email,
      action: `${endpoint.method} ${endpoint.path}`,
      label: endpoint.summary,
      target: email,
      outcome: 'refused',
      detail: { reason },
      requestId: request.id,
      ip: request.ip,
    }),
  )
}

/** During an attack only the first refusal of a window is logged. */
const isFirstRefusalOfWindow = (aside: Db, network: string) =>
  throttle(aside, `refused ip ${network}`, 1, ATTEMPT_WINDOW_SECONDS).then(
    () => true,
    () => false,
  )

/**
 * Limits for mistyped passwords, for a network that tries many accounts, and for an account tried from many networks.
 */
const MAX_ATTEMPTS_PER_SOURCE = 5
const MAX_ATTEMPTS_PER_NETWORK = 100
const MAX_ATTEMPTS_PER_ACCOUNT = 50
/** Whoever tries codes knows the password: the limit applies to all networks together and is low. */
const MAX_CODE_ATTEMPTS = 10

const getAccountKey = (email: string) => `login account ${email}`
const getSourceKeyPrefix = (email: string) => `${getAccountKey(email)} from `
const getNetworkKey = (network: string) => `login network ${network}`
const getCodeKey = (email: string) => `login code ${email}`

/** Attempts beyond their own limit were not counted elsewhere. */
const capAttempts = (attempts: number) => Math.min(attempts, MAX_ATTEMPTS_PER_SOURCE)

type LimitRule = { key: string; limit: number }
/** The limits that apply to an attempt: its own, and those shared with others. */
type LimitRules = { own: LimitRule; shared: LimitRule[]; code: LimitRule }

/** A known device has only its own limit, so that attempts of others do not lock out the owner. */
function buildLimitRules(email: string, network: string, device: string | undefined): LimitRules {
  if (device)
    return {
      own: { key: `login device ${device}`, limit: MAX_ATTEMPTS_PER_SOURCE },
      shared: [],
      code: { key: `login code device ${device}`, limit: MAX_ATTEMPTS_PER_SOURCE },
    }
  return {
    own: { key: getSourceKeyPrefix(email) + network, limit: MAX_ATTEMPTS_PER_SOURCE },
    shared: [
      { key: getAccountKey(email), limit: MAX_ATTEMPTS_PER_ACCOUNT },
      { key: getNetworkKey(network), limit: MAX_ATTEMPTS_PER_NETWORK },
    ],
    code: { key: getCodeKey(email), limit: MAX_CODE_ATTEMPTS },
  }
}

/** Counts an attempt before anything is checked, and refuses it beyond the limits. A successful one is taken back. */
export async function countSignInAttempt(
  { aside, secrets, request }: SignInAttempt,
  email: string,
  user: UserAccount | undefined,
) {
  const { own, shared, code } = buildLimitRules(
    email,
    getClientNetwork(request.ip),
    findKnownDevice(secrets, request, user),
  )
  const count = ({ key, limit }: LimitRule) => throttle(aside, key, limit, ATTEMPT_WINDOW_SECONDS)
  const forgiveShared = async (attempts?: number) => {
    for (const { key } of shared) await refundAttempts(aside, key, attempts)
  }
  for (const rule of [own, ...shared]) await count(rule)
  return {
    /** The password was right but the sign-in is not complete: it counts neither as wrong nor as done. */
    async forgive() {
      await refundAttempts(aside, own.key)
      await forgiveShared()
    },
    /** A successful sign-in clears the earlier wrong attempts. */
    async clear() {
      await forgiveShared(capAttempts(await clearThrottle(aside, own.key)))
    },
    countCode: () => count(code),
    forgiveCode: () => refundAttempts(aside, code.key),
  }
}

/** Clears everything counted against an account, and what it counted against networks. */
export async function clearSignInAttempts(aside: Db, email: string) {
  const sourceKeyPrefix = getSourceKeyPrefix(email)
  for (const { key, count } of await clearThrottles(aside, sourceKeyPrefix))
    await refundAttempts(aside, getNetworkKey(key.slice(sourceKeyPrefix.length)), capAttempts(count))
  await clearThrottle(aside, getAccountKey(email))
  await clearThrottle(aside, getCodeKey(email))
}

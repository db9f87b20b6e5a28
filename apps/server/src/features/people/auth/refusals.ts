import type { Endpoint } from '@voisol/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { type Db, transaction } from '../../../db/client.ts'
import { appendAudit } from '../../../http/audit.ts'
import { AppError } from '../../../http/errors.ts'
import { getClientNetwork } from '../../../http/network.ts'
import type { RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import type { Secrets } from '../../../secrets.ts'
import { findAccountByEmail, findHomeCompanyId } from './accounts.ts'
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

import type { Endpoint } from '@voisol/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { type Db, transaction } from '../../../db/client.ts'
import { appendAudit } from '../../../http/audit.ts'
import { AppError } from '../../../http/errors.ts'
import { networkOf } from '../../../http/network.ts'
import type { Context } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import type { Secrets } from '../../../secrets.ts'
import { findByEmail, findHome } from './accounts.ts'
import { type Party, partyOf } from './passkey-challenges.ts'

export const WINDOW = 15 * 60

/** Somebody at the door: where the counting and the refusals are written, and from where they come. */
export type Attempt = { aside: Db; secrets: Secrets; request: FastifyRequest; endpoint: Endpoint; party: Party }

export const attemptOf = ({ aside, secrets, request, config }: Context<undefined>, endpoint: Endpoint): Attempt => ({
  aside,
  secrets,
  request,
  endpoint,
  party: partyOf(request, config),
})

const REFUSALS: ReadonlySet<string> = new Set(['credentials', 'second-factor', 'passkey', 'throttled', 'sso-required'])

/** Runs a sign-in; a refusal is kept in the audit log although its transaction is rolled back. */
export async function recordingRefusals<T>(attempt: Attempt, email: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code)) await record(attempt, email, error.code)
    throw error
  }
}

async function record({ aside, secrets, request, endpoint }: Attempt, email: string, reason: string) {
  if (reason === 'throttled' && !(await firstOfWindow(aside, networkOf(request.ip)))) return
  const user = await findByEmail(aside, email)
  const companyId = await findHome(aside, user?.id)
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

/** A flood that is already being refused must not fill the log. */
const firstOfWindow = (aside: Db, network: string) =>
  throttle(aside, `refused ip ${network}`, 1, WINDOW).then(
    () => true,
    () => false,
  )

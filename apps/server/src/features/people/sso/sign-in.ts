import { loadOpenConnection } from '../../../core/enforcement.ts'
import { AppError } from '../../../http/errors.ts'
import { networkOf } from '../../../http/network.ts'
import { originOf } from '../../../http/origin.ts'
import type { Context } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { sha256 } from '../../../secrets.ts'
import { enter } from '../auth/auth.ts'
import { type Attempt, begin, browserOf, outcomeOf, spendTicket } from './attempts.ts'
import { SsoRefusal } from './faults.ts'
import { recordRefusal } from './journal.ts'
import { findConnection } from './scope.ts'
import { settle } from './settle.ts'

const WINDOW = 15 * 60
/** An office comes in at nine, by one address. */
const STARTS = 600
const TICKET_MS = 5 * 60_000

/** The address of the provider, for whoever has an address of one of its domains: whether they have an account is not said. */
export async function startSignIn(ctx: Context<undefined>, email: string) {
  const { db, aside, request, config } = ctx
  await throttle(aside, `sso start ${networkOf(request.ip)}`, STARTS, WINDOW)
  const row = await loadOpenConnection(db, email)
  if (!row) throw new AppError('sso-unknown')
  try {
    const { url } = await begin(ctx, { row, origin: originOf(request, config.PUBLIC_URL), email })
    return { url }
  } catch (refusal) {
    if (!(refusal instanceof SsoRefusal)) throw refusal
    await recordRefusal(ctx, { connection: row, who: email, refusal, request })
    throw new AppError('sso')
  }
}

/** What keeps a ticket from being changed for a session; nothing of it is told to whoever brings it. */
function requireOwnTicket(ctx: Context<undefined>, attempt: Attempt) {
  const browser = browserOf(ctx.request)
  if (!browser || !attempt.browserHash.equals(sha256(browser)))
    throw new SsoRefusal('browser', 'La réponse est arrivée dans un autre navigateur que celui qui l’a demandée.')
  if (!attempt.answeredAt || attempt.answeredAt.getTime() < Date.now() - TICKET_MS)
    throw new SsoRefusal('late', 'La réponse n’a pas été employée à temps\u00a0: recommencez la connexion.')
}

/** A session for who the provider said it is, by the same door as a password's. */
export async function finishSignIn(ctx: Context<undefined>, ticket: string) {
  const { db, aside, secrets, request } = ctx
  await throttle(aside, `sso finish ${networkOf(request.ip)}`, STARTS, WINDOW)
  const attempt = await spendTicket(aside, ticket)
  const connection = attempt && (await findConnection(db, attempt.companyId, attempt.connectionId))
  if (!attempt || !connection) throw new AppError('sso')
  const identity = outcomeOf(secrets, attempt)?.identity
  try {
    requireOwnTicket(ctx, attempt)
    if (!connection.activatedAt || !identity) throw new SsoRefusal('closed', 'La connexion a été fermée entre-temps.')
    const user = await settle(db, connection, identity)
    return await enter(ctx, user, connection.companyId, { openedWith: 'sso', target: connection.name, sso: connection })
  } catch (refusal) {
    if (!(refusal instanceof SsoRefusal)) throw refusal
    await recordRefusal(ctx, { connection, who: identity?.email ?? '', refusal, request })
    throw new AppError('sso')
  }
}

import { loadOpenConnection } from '../../../core/enforcement.ts'
import { AppError } from '../../../http/errors.ts'
import { getClientNetwork } from '../../../http/network.ts'
import { getRequestOrigin } from '../../../http/origin.ts'
import type { RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { sha256 } from '../../../secrets.ts'
import { completeSignIn } from '../auth/auth.ts'
import { beginSsoSignIn, consumeTicket, getBrowserToken, openSsoOutcome, type SsoAttempt } from './attempts.ts'
import { SsoRefusal } from './faults.ts'
import { recordSsoRefusal } from './journal.ts'
import { findSsoConnection } from './scope.ts'
import { resolveSsoAccount } from './settle.ts'

const SIGN_IN_WINDOW_SECONDS = 15 * 60
/** An office comes in at nine, by one address. */
const MAX_SIGN_INS_PER_WINDOW = 600
const TICKET_VALIDITY_MS = 5 * 60_000

/** The address of the provider, for whoever has an address of one of its domains: whether they have an account is not said. */
export async function startSsoSignIn(ctx: RouteContext<undefined>, email: string) {
  const { db, aside, request, config } = ctx
  await throttle(aside, `sso start ${getClientNetwork(request.ip)}`, MAX_SIGN_INS_PER_WINDOW, SIGN_IN_WINDOW_SECONDS)
  const row = await loadOpenConnection(db, email)
  if (!row) throw new AppError('sso-unknown')
  try {
    const { url } = await beginSsoSignIn(ctx, { row, origin: getRequestOrigin(request, config.PUBLIC_URL), email })
    return { url }
  } catch (refusal) {
    if (!(refusal instanceof SsoRefusal)) throw refusal
    await recordSsoRefusal(ctx, { connection: row, who: email, refusal, request })
    throw new AppError('sso')
  }
}

/** What keeps a ticket from being changed for a session; nothing of it is told to whoever brings it. */
function requireOwnTicket(ctx: RouteContext<undefined>, attempt: SsoAttempt) {
  const browser = getBrowserToken(ctx.request)
  if (!browser || !attempt.browserHash.equals(sha256(browser)))
    throw new SsoRefusal('browser', 'La réponse est arrivée dans un autre navigateur que celui qui l’a demandée.')
  if (!attempt.answeredAt || attempt.answeredAt.getTime() < Date.now() - TICKET_VALIDITY_MS)
    throw new SsoRefusal('late', 'La réponse n’a pas été employée à temps\u00a0: recommencez la connexion.')
}

/** A session for who the provider said it is, by the same door as a password's. */
export async function finishSsoSignIn(ctx: RouteContext<undefined>, ticket: string) {
  const { db, aside, secrets, request } = ctx
  await throttle(aside, `sso finish ${getClientNetwork(request.ip)}`, MAX_SIGN_INS_PER_WINDOW, SIGN_IN_WINDOW_SECONDS)
  const attempt = await consumeTicket(aside, ticket)
  const connection = attempt && (await findSsoConnection(db, attempt.companyId, attempt.connectionId))
  if (!attempt || !connection) throw new AppError('sso')
  const identity = openSsoOutcome(secrets, attempt)?.identity
  try {
    requireOwnTicket(ctx, attempt)
    if (!connection.activatedAt || !identity) throw new SsoRefusal('closed', 'La connexion a été fermée entre-temps.')
    const user = await resolveSsoAccount(db, connection, identity)
    return await completeSignIn(ctx, user, connection.companyId, {
      openedWith: 'sso',
      target: connection.name,
      sso: connection,
    })
  } catch (refusal) {
    if (!(refusal instanceof SsoRefusal)) throw refusal
    await recordSsoRefusal(ctx, { connection, who: identity?.email ?? '', refusal, request })
    throw new AppError('sso')
  }
}

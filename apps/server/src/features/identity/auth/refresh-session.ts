import { auth } from '@voisol/contract/auth'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type Db, transaction } from '../../../db/client.ts'
import { sessions, spentRefreshes, users } from '../../../db/schema/index.ts'
import { appendAudit } from '../../../http/audit.ts'
import { getClientNetwork } from '../../../http/client-address.ts'
import { AppError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { TOKEN_LIFETIME_SECONDS } from '../../../http/session.ts'
import { type Secrets, sha256 } from '../../../secrets.ts'
import { buildSessionReusedNotice, notifyAccountOwner } from './account-mails.ts'
import type { UserAccount } from './accounts.ts'
import { loadCurrentUser } from './complete-sign-in.ts'
import { describeDevice, findKnownDevice, getUserAgent } from './devices.ts'
import { isLiveSession } from './sessions.ts'

type Session = typeof sessions.$inferSelect
const { method, path, summary } = auth.refresh

/**
 * Two clients have the same refresh token and the owner cannot be identified, so that both are signed out. The call
 * itself is rolled back, hence the separate transaction.
 */
const endReusedSession = (ctx: RouteContext<undefined>, session: Session, user: UserAccount) =>
  transaction(ctx.aside, async (tx) => {
    const { secrets, request } = ctx
    const { userId, companyId, userAgent, ip } = session
    const gone = await tx.delete(sessions).where(eq(sessions.id, session.id)).returning({ id: sessions.id })
    if (!gone.length) return
    await appendAudit(tx, secrets, {
      companyId,
      userId,
      actor: user.email,
      action: `${method} ${path}`,
      label: summary,
      target: user.email,
      outcome: 'refused',
      detail: { reason: 'refresh-reused', device: describeDevice(userAgent), openedFrom: ip },
      requestId: request.id,
      ip: request.ip,
    })
    const current = await loadCurrentUser(tx, userId, companyId).catch(() => undefined)
    if (current)
      await notifyAccountOwner(
        tx,
        ctx,
        { userId, companyId, space: current.space },
        buildSessionReusedNotice(session),
        request,
      )
  })

/** For several tabs that refresh at once, and for a lost answer. */
const REUSE_GRACE_SECONDS = 10

/**
 * The next tokens are derived from the refresh token: a repeated request gets the same ones, while only hashes are
 * stored.
 */
const deriveNextTokens = (secrets: Secrets, refreshToken: string) => ({
  token: secrets.stamp('token', refreshToken),
  expiresIn: TOKEN_LIFETIME_SECONDS,
  refreshToken: secrets.stamp('refresh', refreshToken),
})

/** The source of a refresh: a known device, which may change network, or else the network. */
const getRequestSource = (secrets: Secrets, request: FastifyRequest, user: UserAccount) => ({
  origin: findKnownDevice(secrets, request, user) ?? getClientNetwork(request.ip),
  userAgent: getUserAgent(request),
})

/** Issues a new access token, valid for an hour, and a new refresh token; the previous ones become invalid. */
export async function refreshSession(ctx: RouteContext<undefined>, refreshToken: string) {
  const { db, secrets } = ctx
  await lockRefreshToken(db, refreshToken)
  const [session] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.refreshHash, sha256(refreshToken)), isLiveSession))
  if (!session) return handleSpentToken(ctx, refreshToken)
  const source = getRequestSource(secrets, ctx.request, await loadSessionAccount(db, session))
  const next = deriveNextTokens(secrets, refreshToken)
  const renewed = await db
    .update(sessions)
    .set({
      tokenHash: sha256(next.token),
      refreshHash: sha256(next.refreshToken),
      tokenExpiresAt: sql`now() + make_interval(secs => ${TOKEN_LIFETIME_SECONDS})`,
      lastSeenAt: sql`now()`,
    })
    .where(eq(sessions.id, session.id))
    .returning({ id: sessions.id })
  // A session ended meanwhile is not reopened.
  if (!renewed.length) throw new AppError('session-expired')
  await db.insert(spentRefreshes).values({ tokenHash: sha256(refreshToken), sessionId: session.id, ...source })
  return next
}

/**
 * Serialises calls with the same token. The session row is not locked, because a reused token ends the session in
 * another transaction, which would wait for this one.
 */
const lockRefreshToken = (db: Db, refreshToken: string) =>
  db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`refresh ${sha256(refreshToken).toString('hex')}`}, 0))`,
  )

async function loadSessionAccount(db: Db, { userId }: Session): Promise<UserAccount> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new AppError('session-expired')
  return user
}

/** The token is not the current one: it is unknown or was used before. */
async function handleSpentToken(ctx: RouteContext<undefined>, refreshToken: string) {
  const { db, secrets, request } = ctx
  const [found] = await db
    .select({
      session: sessions,
      spent: spentRefreshes,
      recent: sql<boolean>`${spentRefreshes.spentAt} > now() - make_interval(secs => ${REUSE_GRACE_SECONDS})`,
    })
    .from(spentRefreshes)
    .innerJoin(sessions, eq(sessions.id, spentRefreshes.sessionId))
    .where(and(eq(spentRefreshes.tokenHash, sha256(refreshToken)), isLiveSession))
  if (!found) throw new AppError('session-expired')
  const { session, spent, recent } = found
  const user = await loadSessionAccount(db, session)
  const { origin, userAgent } = getRequestSource(secrets, request, user)
  const next = deriveNextTokens(secrets, refreshToken)
  const isLast = session.refreshHash.equals(sha256(next.refreshToken))
  if (recent && isLast && origin === spent.origin && userAgent === spent.userAgent) return next
  await endReusedSession(ctx, session, user)
  throw new AppError('session-expired')
}

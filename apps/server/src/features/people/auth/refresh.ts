import { and, eq, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { sessions, spentRefreshes, users } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { networkOf } from '../../../http/network.ts'
import type { Context } from '../../../http/route.ts'
import { type Secrets, sha256 } from '../../../secrets.ts'
import type { Account } from './accounts.ts'
import { userAgentOf } from './device.ts'
import { knownDevice } from './known-device.ts'
import { endReused } from './reused.ts'
import { isLive } from './sessions.ts'

const REFRESHED_SECONDS = 3600
/** For tabs that ask at the same moment, and for an answer that was lost on its way. */
const GRACE_SECONDS = 10

type Session = typeof sessions.$inferSelect

/** What follows a refresh token is made of it: asked for twice, it is the same, and nothing but hashes is kept. */
const successors = (secrets: Secrets, refreshToken: string) => ({
  token: secrets.stamp('token', refreshToken),
  expiresIn: REFRESHED_SECONDS,
  refreshToken: secrets.stamp('refresh', refreshToken),
})

/** Where a renewal comes from: a device that proves itself may have changed network, anything else has not. */
const placeOf = (secrets: Secrets, request: FastifyRequest, user: Account) => ({
  origin: knownDevice(secrets, request, user) ?? networkOf(request.ip),
  userAgent: userAgentOf(request),
})

/** A new token for the same session, good for an hour, and a new refresh token; those before stop at once. */
export async function refreshSession(ctx: Context<undefined>, refreshToken: string) {
  const { db, secrets } = ctx
  await waitForOthers(db, refreshToken)
  const [session] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.refreshHash, sha256(refreshToken)), isLive))
  if (!session) return repeat(ctx, refreshToken)
  const place = placeOf(secrets, ctx.request, await accountOf(db, session))
  const next = successors(secrets, refreshToken)
  const renewed = await db
    .update(sessions)
    .set({
      tokenHash: sha256(next.token),
      refreshHash: sha256(next.refreshToken),
      tokenExpiresAt: sql`now() + make_interval(secs => ${REFRESHED_SECONDS})`,
      lastSeenAt: sql`now()`,
    })
    .where(eq(sessions.id, session.id))
    .returning({ id: sessions.id })
  // Closed in the meantime, it is not brought back.
  if (!renewed.length) throw new AppError('session-expired')
  await db.insert(spentRefreshes).values({ tokenHash: sha256(refreshToken), sessionId: session.id, ...place })
  return next
}

/**
 * Those who bring the same token come one after the other. The row of the session is not held for it: who finds the token spent
 * ends the session outside this transaction, and would wait for itself.
 */
const waitForOthers = (db: Db, refreshToken: string) =>
  db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`refresh ${sha256(refreshToken).toString('hex')}`}, 0))`,
  )

async function accountOf(db: Db, { userId }: Session): Promise<Account> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new AppError('session-expired')
  return user
}

/** The token is not the one in force: it was never one, or it was used before. */
async function repeat(ctx: Context<undefined>, refreshToken: string) {
  const { db, secrets, request } = ctx
  const [found] = await db
    .select({
      session: sessions,
      spent: spentRefreshes,
      recent: sql<boolean>`${spentRefreshes.spentAt} > now() - make_interval(secs => ${GRACE_SECONDS})`,
    })
    .from(spentRefreshes)
    .innerJoin(sessions, eq(sessions.id, spentRefreshes.sessionId))
    .where(and(eq(spentRefreshes.tokenHash, sha256(refreshToken)), isLive))
  if (!found) throw new AppError('session-expired')
  const { session, spent, recent } = found
  const user = await accountOf(db, session)
  const { origin, userAgent } = placeOf(secrets, request, user)
  const next = successors(secrets, refreshToken)
  const isLast = session.refreshHash.equals(sha256(next.refreshToken))
  if (recent && isLast && origin === spent.origin && userAgent === spent.userAgent) return next
  await endReused(ctx, session, user)
  throw new AppError('session-expired')
}

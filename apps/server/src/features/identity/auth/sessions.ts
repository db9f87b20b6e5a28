import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { sessions, signIns, users } from '../../../db/schema/index.ts'
import type { Actor, PersonActor, SessionOpening } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { MAX_INACTIVITY_HOURS, MAX_SESSION_DAYS } from '../../../http/session.ts'
import { generateToken, sha256 } from '../../../secrets.ts'
import type { UserAccount } from './accounts.ts'
import { describeDevice, getUserAgent } from './devices.ts'

/** Neither idle nor old for too long. */
export const isLiveSession = sql`${sessions.lastSeenAt} > now() - make_interval(hours => ${MAX_INACTIVITY_HOURS})
  and ${sessions.createdAt} > now() - make_interval(days => ${MAX_SESSION_DAYS})`

/** The user, how they authenticated, and the SSO connection, if any: it limits the session to its company. */
type OpenSessionInput = {
  /** The account as read when its password was checked. */
  user: Pick<UserAccount, 'id' | 'passwordHash'>
  companyId: number
  openedWith: SessionOpening['openedWith']
  ssoConnectionId?: string | undefined
}

/** Opens a session; this is the only time that the two secrets leave the server. */
export async function openSession(
  tx: Db,
  request: FastifyRequest,
  { user, companyId, openedWith, ssoConnectionId }: OpenSessionInput,
) {
  const userId = user.id
  const token = generateToken()
  const refreshToken = generateToken()
  await tx.insert(sessions).values({
    userId,
    companyId,
    openedWith,
    openedFor: openedWith === 'sso' ? companyId : null,
    ssoConnectionId,
    tokenHash: sha256(token),
    refreshHash: sha256(refreshToken),
    ip: request.ip,
    userAgent: getUserAgent(request),
  })
  if (openedWith.startsWith('password')) await requireSamePassword(tx, user)
  const at = new Date()
  await tx.insert(signIns).values({ userId, at }).onConflictDoUpdate({ target: signIns.userId, set: { at } })
  return { token, refreshToken }
}

/**
 * The password may have changed since it was checked, because hashing takes a while. The session just inserted blocks
 * further changes of its account by its foreign key, so that the hash read now stays current until the session is
 * visible.
 */
async function requireSamePassword(tx: Db, { id, passwordHash }: OpenSessionInput['user']) {
  const [now] = await tx.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, id))
  if (!now?.passwordHash || now.passwordHash !== passwordHash) throw new AppError('credentials')
}

export const closeSession = (tx: Db, token: string) =>
  tx
    .delete(sessions)
    .where(eq(sessions.tokenHash, sha256(token)))
    .returning()

/** The sessions of a member in a company, for its administrators. */
export const listSessions = (db: Db, userId: string, companyId: number, currentId: string) =>
  listLiveSessions(db, and(eq(sessions.userId, userId), eq(sessions.companyId, companyId)), currentId)

async function listLiveSessions(db: Db, which: SQL | undefined, currentId: string) {
  const rows = await db.select().from(sessions).where(and(which, isLiveSession)).orderBy(desc(sessions.lastSeenAt))
  return rows.map((row) => ({
    id: row.id,
    current: row.id === currentId,
    device: describeDevice(row.userAgent),
    ip: row.ip,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }))
}

/**
 * The sessions that the user may see and end: a session opened by SSO for one company sees only those opened for it.
 */
const isOwnSession = ({ userId, openedFor }: Pick<PersonActor, 'userId' | 'openedFor'>) =>
  and(eq(sessions.userId, userId), openedFor === null ? undefined : eq(sessions.openedFor, openedFor))

export const listOwnSessions = (db: Db, actor: PersonActor) =>
  listLiveSessions(db, isOwnSession(actor), actor.sessionId)

export async function revokeOwnSession(tx: Db, actor: PersonActor, id: string) {
  const gone = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, id), isOwnSession(actor)))
    .returning()
  if (!gone.length) throw new AppError('not-found')
}

export const revokeOtherSessions = async (tx: Db, actor: Pick<PersonActor, 'userId' | 'openedFor' | 'sessionId'>) =>
  (
    await tx
      .delete(sessions)
      .where(and(isOwnSession(actor), ne(sessions.id, actor.sessionId)))
      .returning()
  ).length

/**
 * The session has now proved a second factor too. Other sessions opened by a password alone are ended: where a company
 * requires two factors, none may remain that never proved the second.
 */
export async function addSecondFactorToSession(tx: Db, { userId, sessionId }: Actor, factor: 'code' | 'passkey') {
  const weak = and(eq(sessions.userId, userId), eq(sessions.openedWith, 'password'))
  await tx.delete(sessions).where(and(weak, ne(sessions.id, sessionId)))
  await tx
    .update(sessions)
    .set({ openedWith: `password-${factor}` })
    .where(and(weak, eq(sessions.id, sessionId)))
}

export const revokeAllSessions = (tx: Db, userId: string) => tx.delete(sessions).where(eq(sessions.userId, userId))

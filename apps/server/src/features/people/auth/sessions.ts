import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { sessions, signIns } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { INACTIVITY_HOURS, LONGEST_DAYS } from '../../../http/session.ts'
import { newToken, sha256 } from '../../../secrets.ts'
import { deviceName, userAgentOf } from './device.ts'

/** Neither rested nor lasted too long. */
export const isLive = sql`${sessions.lastSeenAt} > now() - make_interval(hours => ${INACTIVITY_HOURS})
  and ${sessions.createdAt} > now() - make_interval(days => ${LONGEST_DAYS})`

/** Opens a session; the two secrets leave the server now and never again. */
export async function openSession(
  tx: Db,
  request: FastifyRequest,
  userId: string,
  companyId: number,
  ssoConnectionId: string | null = null,
) {
  const token = newToken()
  const refreshToken = newToken()
  await tx.insert(sessions).values({
    userId,
    companyId,
    ssoConnectionId,
    tokenHash: sha256(token),
    refreshHash: sha256(refreshToken),
    ip: request.ip,
    userAgent: userAgentOf(request),
  })
  const at = new Date()
  await tx.insert(signIns).values({ userId, at }).onConflictDoUpdate({ target: signIns.userId, set: { at } })
  return { token, refreshToken }
}

export const closeSession = (tx: Db, token: string) =>
  tx
    .delete(sessions)
    .where(eq(sessions.tokenHash, sha256(token)))
    .returning()

export async function listSessions(db: Db, userId: string, companyId: number | undefined, currentId: string) {
  const rows = await db
    .select()
    .from(sessions)
    .where(
      and(eq(sessions.userId, userId), companyId === undefined ? undefined : eq(sessions.companyId, companyId), isLive),
    )
    .orderBy(desc(sessions.lastSeenAt))
  return rows.map((row) => ({
    id: row.id,
    current: row.id === currentId,
    device: deviceName(row.userAgent),
    ip: row.ip,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }))
}

export async function revokeOwnSession(tx: Db, actor: Actor, id: string) {
  const gone = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, actor.userId)))
    .returning()
  if (!gone.length) throw new AppError('not-found')
}

export const revokeOtherSessions = async (tx: Db, userId: string, keepId: string) =>
  (
    await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), ne(sessions.id, keepId)))
      .returning()
  ).length

export const revokeAllSessions = (tx: Db, userId: string) => tx.delete(sessions).where(eq(sessions.userId, userId))

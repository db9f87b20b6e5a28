import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { apiKeys, memberships, passkeyChallenges, sessions, ssoPeople, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { lockCredentials, lockUserAccount, type UserAccount } from './accounts.ts'
import { removeSecondFactor } from './second-factor-setup.ts'
import { revokeAllSessions, revokeOtherSessions } from './sessions.ts'

/** The credentials set by the person who confirms: they stay, and all other credentials are removed. */
type ConfirmAddressInput = { password: boolean; sessionId?: string | undefined }

/**
 * Called when a person first proves that they read this address. Anybody could have registered it before, so that every
 * credential not set by this person is removed; business data stays.
 */
export async function confirmUserAddress(
  tx: Db,
  userId: string,
  { password, sessionId }: ConfirmAddressInput,
): Promise<void> {
  const user = await lockCredentials(tx, userId)
  if (user.emailVerifiedAt) return
  const withoutPassword = password ? {} : { passwordHash: null, passwordLong: null }
  await tx
    .update(users)
    .set({ emailVerifiedAt: new Date(), ...withoutPassword })
    .where(eq(users.id, userId))
  await removeSecondFactor(tx, userId)
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId))
  if (sessionId) await revokeOtherSessions(tx, { userId, sessionId, openedFor: null })
  else await revokeAllSessions(tx, userId)
  await removeAccessFromCompanies(tx, userId)
}

/** One company at a time, because in Citus each may be on another node. */
async function removeAccessFromCompanies(tx: Db, userId: string) {
  const places = await tx.select().from(memberships).where(eq(memberships.userId, userId))
  for (const { companyId } of places) {
    await tx.delete(ssoPeople).where(and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.userId, userId)))
    await tx
      .update(apiKeys)
      .set({ revokedAt: new Date(), version: sql`${apiKeys.version} + 1` })
      .where(and(eq(apiKeys.companyId, companyId), eq(apiKeys.makerId, userId), isNull(apiKeys.revokedAt)))
  }
}

/** Nobody may send mail to others from an unconfirmed address. An API key acts as its creator. */
export async function requireVerifiedAddress(tx: Db, { userId }: Pick<Actor, 'userId'>): Promise<void> {
  const [user] = await tx.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, userId))
  if (!user?.at) throw new AppError('email-unverified')
}

/**
 * Long-term credentials can be added only after the address is confirmed. The account is locked and the session loaded
 * again, so that a call that waited while its session ended adds nothing.
 */
export async function lockConfirmedAccount(tx: Db, actor: Actor): Promise<UserAccount> {
  const user = await lockUserAccount(tx, actor.userId)
  if (!user.emailVerifiedAt) throw new AppError('email-unverified')
  if (actor.kind !== 'person') return user
  const [open] = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, actor.sessionId))
  if (!open) throw new AppError('session-expired')
  return user
}

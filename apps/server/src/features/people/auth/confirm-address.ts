import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { apiKeys, memberships, passkeyChallenges, sessions, ssoPeople, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { lockCredentials, lockUserAccount, type UserAccount } from './accounts.ts'
import { removeSecondFactor } from './second-factor-setup.ts'
import { revokeAllSessions, revokeOtherSessions } from './sessions.ts'

/** What the person who confirms has given themselves: it stays, and nothing else that opens the account does. */
type ConfirmAddressInput = { password: boolean; sessionId?: string | undefined }

/**
 * The address is known for the first time to be read by whoever acts. Anybody may have registered with it before, so that all
 * that opens the account and that this person did not give goes; what was worked on stays.
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

/** Company by company: its rows may be on a machine of their own. */
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

/** Nobody writes to others in the product's name from an address that may be anybody's. A key writes as its maker. */
export async function requireVerifiedAddress(tx: Db, { userId }: Pick<Actor, 'userId'>): Promise<void> {
  const [user] = await tx.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, userId))
  if (!user?.at) throw new AppError('email-unverified')
}

/**
 * Nothing that opens an account for long is put in it before its address is confirmed. The account is held and the session looked
 * for again: a call that waited while its session ended must not leave a key behind.
 */
export async function lockConfirmedAccount(tx: Db, actor: Actor): Promise<UserAccount> {
  const user = await lockUserAccount(tx, actor.userId)
  if (!user.emailVerifiedAt) throw new AppError('email-unverified')
  if (actor.kind !== 'person') return user
  const [open] = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, actor.sessionId))
  if (!open) throw new AppError('session-expired')
  return user
}

import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { emailVerifications, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { newToken, sha256 } from '../../../secrets.ts'
import { type Account, lockAccount } from './accounts.ts'
import { mailVerification } from './mails.ts'

const VALID_MS = 3 * 86_400_000

/** Sends a link to an address that nobody has shown to be theirs yet. */
export async function askVerification(
  tx: Db,
  post: Pick<Deps, 'secrets' | 'config'>,
  user: { id: string; email: string },
) {
  const token = newToken()
  const expiresAt = new Date(Date.now() + VALID_MS)
  await tx
    .insert(emailVerifications)
    .values({ tokenHash: sha256(token), userId: user.id, email: user.email, expiresAt })
  await mailVerification(tx, post, user.email, token)
}

/** Following a link that came by mail shows that the mail is read: this one, an invitation or a new password. */
export const markVerified = (tx: Db, userId: string) =>
  tx
    .update(users)
    .set({ emailVerifiedAt: new Date() })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)))

export async function verifyEmail(tx: Db, token: string): Promise<Account> {
  const [found] = await tx
    .select()
    .from(emailVerifications)
    .where(eq(emailVerifications.tokenHash, sha256(token)))
    .for('update')
  if (!found) throw new AppError('link-expired')
  const user = await lockAccount(tx, found.userId)
  // A link followed twice, as some mail readers do, has done what it was for.
  if (found.usedAt && user.emailVerifiedAt) return user
  if (found.usedAt) throw new AppError('already-used')
  if (found.expiresAt < new Date() || found.email !== user.email) throw new AppError('link-expired')
  await tx.update(emailVerifications).set({ usedAt: new Date() }).where(eq(emailVerifications.userId, user.id))
  await markVerified(tx, user.id)
  return user
}

/** Nobody writes to others in the product's name from an address that may be anybody's. A key writes as its maker. */
export async function requireVerified(tx: Db, { userId }: Actor): Promise<void> {
  const [user] = await tx.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, userId))
  if (!user?.at) throw new AppError('email-unverified')
}

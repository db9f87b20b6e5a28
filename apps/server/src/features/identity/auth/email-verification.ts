import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import {
  apiKeys,
  emailVerifications,
  memberships,
  passkeyChallenges,
  sessions,
  ssoPeople,
  users,
} from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { TOKEN_LIFETIME_SECONDS } from '../../../http/session.ts'
import { refundAttempts, throttle } from '../../../http/throttle.ts'
import { generateToken, sha256 } from '../../../secrets.ts'
import { sendVerificationMail } from './account-mails.ts'
import { lockCredentials, lockUserAccount, type UserAccount } from './accounts.ts'
import { verifyPassword } from './passwords.ts'
import { removeSecondFactor } from './second-factor.ts'
import { isLiveSession, revokeAllSessions, revokeOtherSessions } from './sessions.ts'
import { ATTEMPT_WINDOW_SECONDS } from './sign-in-attempts.ts'

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

const VERIFICATION_LINK_VALIDITY_MS = 3 * 86_400_000
const MAX_PASSWORD_ATTEMPTS = 5

/** Sends a link to an address that is not confirmed yet. */
export async function requestEmailVerification(
  tx: Db,
  post: Pick<Deps, 'secrets' | 'config'>,
  user: { id: string; email: string },
) {
  const token = generateToken()
  const expiresAt = new Date(Date.now() + VERIFICATION_LINK_VALIDITY_MS)
  await tx
    .insert(emailVerifications)
    .values({ tokenHash: sha256(token), userId: user.id, email: user.email, expiresAt })
  await sendVerificationMail(tx, post, user.email, token)
}

type ConfirmAddressProof = { sessionToken: string | undefined; password: string | undefined }

/** The link proves that the person reads the mail; the session or password proves that they registered. */
export async function verifyEmail(
  tx: Db,
  aside: Db,
  token: string,
  confirmer: ConfirmAddressProof,
): Promise<UserAccount> {
  const find = () =>
    tx
      .select()
      .from(emailVerifications)
      .where(eq(emailVerifications.tokenHash, sha256(token)))
  const [sent] = await find()
  if (!sent) throw new AppError('link-expired')
  // Locks the account first, as every caller that ends its links does, so that concurrent calls see each other's
  // changes.
  const user = await lockUserAccount(tx, sent.userId)
  const [found] = await find()
  if (!found) throw new AppError('link-expired')
  // A link opened twice, as by some mail programs, succeeds again.
  if (found.usedAt && user.emailVerifiedAt) return user
  if (found.usedAt) throw new AppError('already-used')
  if (found.expiresAt < new Date() || found.email !== user.email) throw new AppError('link-expired')
  const sessionId = await findPasswordSession(tx, user.id, confirmer.sessionToken)
  if (!sessionId) await requireAccountPassword(aside, user, confirmer.password)
  await tx.update(emailVerifications).set({ usedAt: new Date() }).where(eq(emailVerifications.userId, user.id))
  await confirmUserAddress(tx, user.id, { password: true, sessionId })
  return user
}

/** Its access token has not ended: a session that may still be refreshed, but opens nothing by that token, is not enough. */
const hasLiveToken = sql`coalesce(${sessions.tokenExpiresAt},
  ${sessions.createdAt} + make_interval(secs => ${TOKEN_LIFETIME_SECONDS})) > now()`

/** A session of the account in the browser that opens the link, opened with a credential of the account itself. */
async function findPasswordSession(tx: Db, userId: string, token: string | undefined): Promise<string | undefined> {
  if (!token) return undefined
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.tokenHash, sha256(token)),
        eq(sessions.userId, userId),
        isNull(sessions.ssoConnectionId),
        isLiveSession,
        hasLiveToken,
      ),
    )
  return session?.id
}

const PASSWORD_REQUIRED_MESSAGE =
  'Saisissez le mot de passe choisi à l’inscription. Si ce n’est pas vous qui l’avez choisi, ou si vous l’avez oublié, demandez un nouveau mot de passe\u00a0: cela confirme aussi votre adresse.'

async function requireAccountPassword(aside: Db, user: UserAccount, password: string | undefined) {
  if (password === undefined) throw fieldError('password', PASSWORD_REQUIRED_MESSAGE)
  const key = `verify password ${user.id}`
  await throttle(aside, key, MAX_PASSWORD_ATTEMPTS, ATTEMPT_WINDOW_SECONDS)
  if (!(await verifyPassword(user.passwordHash, password)))
    throw fieldError('password', `Ce mot de passe n’est pas celui du compte. ${PASSWORD_REQUIRED_MESSAGE}`)
  await refundAttempts(aside, key)
}

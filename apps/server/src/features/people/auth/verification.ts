import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { emailVerifications, sessions } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { refundAttempts, throttle } from '../../../http/throttle.ts'
import { generateToken, sha256 } from '../../../secrets.ts'
import { lockUserAccount, type UserAccount } from './accounts.ts'
import { confirmUserAddress } from './confirm-address.ts'
import { sendVerificationMail } from './mails.ts'
import { verifyPassword } from './passwords.ts'
import { ATTEMPT_WINDOW_SECONDS } from './refusals.ts'
import { isLiveSession } from './sessions.ts'

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
        sql`coalesce(${sessions.tokenExpiresAt} > now(), true)`,
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

import { and, eq, isNull } from 'drizzle-orm'
import { findSsoOnlyCompany, isKnownToProvider } from '../../../core/sign-ins.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { passwordResets, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor, PersonActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { refundAttempts, throttle } from '../../../http/throttle.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { generateToken, type Secrets, sha256 } from '../../../secrets.ts'
import { sendNotYetActiveMail, sendResetLinkMail, sendUseSsoMail } from './account-mails.ts'
import {
  findAccountByEmail,
  findHomeCompanyId,
  hasAcceptedMembership,
  hasOfficeMembership,
  lockCredentials,
  lockUserAccount,
  type UserAccount,
} from './accounts.ts'
import { confirmUserAddress } from './email-verification.ts'
import { buildPasswordColumns, requireStrongPassword, verifyPassword } from './passwords.ts'
import { hasSecondFactor } from './second-factor.ts'
import { revokeAllSessions, revokeOtherSessions } from './sessions.ts'
import { ATTEMPT_WINDOW_SECONDS } from './sign-in-attempts.ts'

export const PASSWORD_RESET_SEAL_CONTEXT = 'password-reset'
const RESET_LINK_VALIDITY_MS = 3_600_000

/** A known and an unknown address cost the same work here, because a job looks the address up. */
export const requestPasswordReset = (tx: Db, secrets: Secrets, email: string) =>
  enqueue(tx, 'auth.password-reset', { sealed: secrets.seal(email, PASSWORD_RESET_SEAL_CONTEXT) })

export const sendPasswordReset = (deps: Deps, email: string) =>
  transaction(deps.db, async (tx) => {
    const user = await findAccountByEmail(tx, email)
    if (!user) return
    if (await signsInOnlyBySso(tx, user)) return void (await sendUseSsoMail(tx, deps, user.email))
    if (!(await canChoosePassword(tx, user))) return void (await sendNotYetActiveMail(tx, deps, user.email))
    // Only the newest link stays valid; older ones may be left in the mailbox.
    await invalidateResetLinks(tx, user.id)
    const token = generateToken()
    const expiresAt = new Date(Date.now() + RESET_LINK_VALIDITY_MS)
    await tx.insert(passwordResets).values({ tokenHash: sha256(token), userId: user.id, expiresAt })
    await sendResetLinkMail(tx, deps, user.email, token)
  })

/**
 * An SSO user without a password may choose one unless SSO is enforced, as may one whose provider is gone. Only a
 * person who has never signed in must use the invitation.
 */
const canChoosePassword = async (tx: Db, { id, passwordHash, emailVerifiedAt }: UserAccount) =>
  passwordHash !== null ||
  emailVerifiedAt !== null ||
  (await isKnownToProvider(tx, id)) ||
  (await hasAcceptedMembership(tx, id))

/** Invalidates earlier links after a change of the account. */
export const invalidateResetLinks = (tx: Db, userId: string) =>
  tx
    .update(passwordResets)
    .set({ usedAt: new Date() })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)))

/** True when all companies of the user require SSO, so that a password opens nothing. */
async function signsInOnlyBySso(tx: Db, user: UserAccount): Promise<boolean> {
  const closed = await findSsoOnlyCompany(tx, user)
  return closed !== undefined && (await findHomeCompanyId(tx, user.id, closed)) === undefined
}

/** Sets the new password and ends every session, so that everybody must sign in again. */
export async function resetPasswordByToken(tx: Db, token: string, password: string): Promise<UserAccount> {
  const find = () =>
    tx
      .select()
      .from(passwordResets)
      .where(eq(passwordResets.tokenHash, sha256(token)))
  const [found] = await find()
  if (!found) throw new AppError('link-expired')
  // Locks the account first, as every caller that ends its links does, so that concurrent calls see each other's
  // changes.
  const user = await lockCredentials(tx, found.userId)
  const [reset] = await find()
  if (!reset) throw new AppError('link-expired')
  if (reset.usedAt) throw new AppError('already-used')
  if (reset.expiresAt < new Date()) throw new AppError('link-expired')
  if (await signsInOnlyBySso(tx, user)) throw new AppError('sso-required')
  // Before the password is checked: a second factor left by a stranger would lower the requirements.
  await confirmUserAddress(tx, user.id, { password: false })
  const inOffice = await hasOfficeMembership(tx, user.id)
  requireStrongPassword(password, { inOffice, secondFactor: await hasSecondFactor(tx, user.id), email: user.email })
  const passwordColumns = await buildPasswordColumns(password)
  await tx.update(users).set(passwordColumns).where(eq(users.id, user.id))
  // The other links of the account become invalid.
  await invalidateResetLinks(tx, user.id)
  await revokeAllSessions(tx, user.id)
  return { ...user, ...passwordColumns }
}

const MAX_PASSWORD_ATTEMPTS = 5

/** Checks the password of a signed-in user, with limits: a stolen session must neither be enough nor allow guessing. */
export async function requireOwnPassword(tx: Db, aside: Db, actor: Actor, password: string, field: string) {
  const key = `password ${actor.userId}`
  await throttle(aside, key, MAX_PASSWORD_ATTEMPTS, ATTEMPT_WINDOW_SECONDS)
  const user = await lockUserAccount(tx, actor.userId)
  if (!(await verifyPassword(user.passwordHash, password)))
    throw fieldError(field, 'Le mot de passe actuel est incorrect.')
  await refundAttempts(aside, key)
  return user
}

/** The caller has checked the current password. */
export async function changePassword(tx: Db, actor: PersonActor, user: UserAccount, current: string, password: string) {
  if (password === current) throw fieldError('password', 'Choisissez un mot de passe différent de l’actuel.')
  const inOffice = await hasOfficeMembership(tx, user.id)
  requireStrongPassword(password, { inOffice, secondFactor: await hasSecondFactor(tx, user.id), email: user.email })
  await lockCredentials(tx, user.id)
  await tx
    .update(users)
    .set(await buildPasswordColumns(password))
    .where(eq(users.id, user.id))
  await invalidateResetLinks(tx, user.id)
  await revokeOtherSessions(tx, actor)
}

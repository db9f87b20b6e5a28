import { and, eq, isNull } from 'drizzle-orm'
import { findSsoOnlyCompany, isKnownToProvider } from '../../../core/enforcement.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { passwordResets, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { generateToken, type Secrets, sha256 } from '../../../secrets.ts'
import {
  findAccountByEmail,
  findHomeCompanyId,
  hasAcceptedMembership,
  hasOfficeMembership,
  lockCredentials,
  type UserAccount,
} from './accounts.ts'
import { confirmUserAddress } from './confirm-address.ts'
import { sendNotYetActiveMail, sendResetLinkMail, sendUseSsoMail } from './mails.ts'
import { buildPasswordColumns, requireStrongPassword } from './passwords.ts'
import { hasSecondFactor } from './second-factor.ts'
import { revokeAllSessions } from './sessions.ts'

export const PASSWORD_RESET_SEAL_CONTEXT = 'password-reset'
const RESET_LINK_VALIDITY_MS = 3_600_000

/** Known or not, an address costs the same work here: the look-up is the job's. */
export const requestPasswordReset = (tx: Db, secrets: Secrets, email: string) =>
  enqueue(tx, 'auth.password-reset', { sealed: secrets.seal(email, PASSWORD_RESET_SEAL_CONTEXT) })

export const sendPasswordReset = (deps: Deps, email: string) =>
  transaction(deps.db, async (tx) => {
    const user = await findAccountByEmail(tx, email)
    if (!user) return
    if (await signsInOnlyBySso(tx, user)) return void (await sendUseSsoMail(tx, deps, user.email))
    if (!(await canChoosePassword(tx, user))) return void (await sendNotYetActiveMail(tx, deps, user.email))
    // The newest link is the one that is read; the others need not stay good in a mailbox.
    await invalidateResetLinks(tx, user.id)
    const token = generateToken()
    const expiresAt = new Date(Date.now() + RESET_LINK_VALIDITY_MS)
    await tx.insert(passwordResets).values({ tokenHash: sha256(token), userId: user.id, expiresAt })
    await sendResetLinkMail(tx, deps, user.email, token)
  })

/**
 * Whoever came in by a provider has no password yet, and may choose one as long as the provider is not imposed; so may whoever's
 * provider is gone. Only somebody who has opened nothing yet is sent to their invitation.
 */
const canChoosePassword = async (tx: Db, { id, passwordHash, emailVerifiedAt }: UserAccount) =>
  passwordHash !== null ||
  emailVerifiedAt !== null ||
  (await isKnownToProvider(tx, id)) ||
  (await hasAcceptedMembership(tx, id))

/** Links that were sent before something changed in the account change nothing in it any more. */
export const invalidateResetLinks = (tx: Db, userId: string) =>
  tx
    .update(passwordResets)
    .set({ usedAt: new Date() })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)))

/** Nothing of theirs opens with a password: their company's provider lets them in. */
async function signsInOnlyBySso(tx: Db, user: UserAccount): Promise<boolean> {
  const closed = await findSsoOnlyCompany(tx, user)
  return closed !== undefined && (await findHomeCompanyId(tx, user.id, closed)) === undefined
}

/** Takes the new password and closes every session: whoever was in must come back with it. */
export async function resetPasswordByToken(tx: Db, token: string, password: string): Promise<UserAccount> {
  const find = () =>
    tx
      .select()
      .from(passwordResets)
      .where(eq(passwordResets.tokenHash, sha256(token)))
  const [found] = await find()
  if (!found) throw new AppError('link-expired')
  // The account first, as whoever ends all its links does: of several at once each sees what the one before left.
  const user = await lockCredentials(tx, found.userId)
  const [reset] = await find()
  if (!reset) throw new AppError('link-expired')
  if (reset.usedAt) throw new AppError('already-used')
  if (reset.expiresAt < new Date()) throw new AppError('link-expired')
  if (await signsInOnlyBySso(tx, user)) throw new AppError('sso-required')
  // Before its strength is judged: a second factor that a stranger left would lower what is asked of the new one.
  await confirmUserAddress(tx, user.id, { password: false })
  const inOffice = await hasOfficeMembership(tx, user.id)
  requireStrongPassword(password, { inOffice, secondFactor: await hasSecondFactor(tx, user.id), email: user.email })
  const passwordColumns = await buildPasswordColumns(password)
  await tx.update(users).set(passwordColumns).where(eq(users.id, user.id))
  // The other links of the same account end with this one.
  await invalidateResetLinks(tx, user.id)
  await revokeAllSessions(tx, user.id)
  return { ...user, ...passwordColumns }
}

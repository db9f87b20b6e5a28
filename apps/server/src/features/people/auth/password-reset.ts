import { and, eq, isNull } from 'drizzle-orm'
import { closedCompany, isKnownToProvider } from '../../../core/enforcement.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { passwordResets, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { newToken, type Secrets, sha256 } from '../../../secrets.ts'
import {
  type Account,
  findByEmail,
  findHome,
  hasAcceptedMembership,
  lockCredentials,
  worksSomewhere,
} from './accounts.ts'
import { confirmAddress } from './confirm-address.ts'
import { mailNotYetActive, mailProviderInstead, mailResetLink } from './mails.ts'
import { keptPassword, requireStrong } from './passwords.ts'
import { hasSecondFactor } from './second-factor.ts'
import { revokeAllSessions } from './sessions.ts'

export const RESET_PLACE = 'password-reset'
const VALID_MS = 3_600_000

/** Known or not, an address costs the same work here: the look-up is the job's. */
export const askReset = (tx: Db, secrets: Secrets, email: string) =>
  enqueue(tx, 'auth.password-reset', { sealed: secrets.seal(email, RESET_PLACE) })

export const sendReset = (deps: Deps, email: string) =>
  transaction(deps.db, async (tx) => {
    const user = await findByEmail(tx, email)
    if (!user) return
    if (await comesByProvider(tx, user)) return void (await mailProviderInstead(tx, deps, user.email))
    if (!(await mayChoosePassword(tx, user))) return void (await mailNotYetActive(tx, deps, user.email))
    // The newest link is the one that is read; the others need not stay good in a mailbox.
    await endResetLinks(tx, user.id)
    const token = newToken()
    const expiresAt = new Date(Date.now() + VALID_MS)
    await tx.insert(passwordResets).values({ tokenHash: sha256(token), userId: user.id, expiresAt })
    await mailResetLink(tx, deps, user.email, token)
  })

/**
 * Whoever came in by a provider has no password yet, and may choose one as long as the provider is not imposed; so may whoever's
 * provider is gone. Only somebody who has opened nothing yet is sent to their invitation.
 */
const mayChoosePassword = async (tx: Db, { id, passwordHash, emailVerifiedAt }: Account) =>
  passwordHash !== null ||
  emailVerifiedAt !== null ||
  (await isKnownToProvider(tx, id)) ||
  (await hasAcceptedMembership(tx, id))

/** Links that were sent before something changed in the account change nothing in it any more. */
export const endResetLinks = (tx: Db, userId: string) =>
  tx
    .update(passwordResets)
    .set({ usedAt: new Date() })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)))

/** Nothing of theirs opens with a password: their company's provider lets them in. */
async function comesByProvider(tx: Db, user: Account): Promise<boolean> {
  const closed = await closedCompany(tx, user)
  return closed !== undefined && (await findHome(tx, user.id, closed)) === undefined
}

/** Takes the new password and closes every session: whoever was in must come back with it. */
export async function resetPassword(tx: Db, token: string, password: string): Promise<Account> {
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
  if (await comesByProvider(tx, user)) throw new AppError('sso-required')
  // Before its strength is judged: a second factor that a stranger left would lower what is asked of the new one.
  await confirmAddress(tx, user.id, { password: false })
  const inOffice = await worksSomewhere(tx, user.id)
  requireStrong(password, { inOffice, secondFactor: await hasSecondFactor(tx, user.id), email: user.email })
  const kept = await keptPassword(password)
  await tx.update(users).set(kept).where(eq(users.id, user.id))
  // The other links of the same account end with this one.
  await endResetLinks(tx, user.id)
  await revokeAllSessions(tx, user.id)
  return { ...user, ...kept }
}

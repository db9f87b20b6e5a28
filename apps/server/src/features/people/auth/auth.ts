import type { Credentials, Registration } from '@voisol/contract/auth'
import type { Space } from '@voisol/contract/permissions'
import { TRIAL_DAYS } from '@voisol/contract/plan-prices'
import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { closedCompany, enforcementOf } from '../../../core/enforcement.ts'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, sessions, users } from '../../../db/schema/index.ts'
import type { Opening, Person } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireOtherCompany } from '../../../http/reach.ts'
import { type Account, findByEmail, findHome } from './accounts.ts'
import { usePasskey } from './passkey-check.ts'
import { isLong, keptPassword, requireStrong, verifyPassword } from './passwords.ts'
import type { Attempt } from './refusals.ts'
import { checkSecondFactor, secondFactorRequired, secondFactorsOf } from './second-factor.ts'
import { countSignIn } from './sign-in-limits.ts'

export {
  type Account,
  findAccount,
  findByEmail,
  isActive,
  lockAccount,
  lockCredentials,
  worksThere,
} from './accounts.ts'
export { confirmAddress, requireConfirmedAddress, requireVerified } from './confirm-address.ts'
export { currentUser } from './current-user.ts'
export { enter } from './enter.ts'
export { forgetAccount } from './forget.ts'
export { accountMail } from './mails.ts'
export { NOTICES, tellOwner } from './notices.ts'
export { requireOwnPassword } from './own-password.ts'
export { listPasskeys } from './passkeys.ts'
export { endResetLinks } from './password-reset.ts'
export { hashPassword, keptPassword } from './passwords.ts'
export { requireReauthentication } from './reauthentication.ts'
export { hasSecondFactor } from './second-factor.ts'
export { removeSecondFactor } from './second-factor-setup.ts'
export { listSessions } from './sessions.ts'

/**
 * The account of these credentials. Known and unknown addresses get the same answer after the same work. What is done `onPassword`
 * outside the transaction comes before a code is spent in it: whoever holds the account may be waiting for that code.
 */
export async function checkCredentials(
  tx: Db,
  input: z.output<typeof Credentials>,
  attempt: Attempt,
  onPassword: (user: Account) => Promise<unknown> = async () => {},
): Promise<{ user: Account; openedWith: Opening['openedWith'] }> {
  const user = await findByEmail(tx, input.email)
  const limits = await countSignIn(attempt, input.email, user)
  if (!(await verifyPassword(user?.passwordHash, input.password)) || !user) throw await wrongPassword(tx, input.email)
  await onPassword(user)
  const factors = await secondFactorsOf(tx, user)
  if (factors.length) {
    if (!input.code && !input.passkey) {
      await limits.forgive()
      throw secondFactorRequired(factors)
    }
    await limits.countCode()
    if (!(await proves(tx, attempt, user, input))) throw new AppError('second-factor')
    await limits.forgiveCode()
  }
  await limits.clear()
  if (!factors.length) return { user, openedWith: 'password' }
  return { user, openedWith: input.passkey ? 'password-passkey' : 'password-code' }
}

/** Where a domain comes in by its provider, passwords are not said to be right or wrong. */
const wrongPassword = async (tx: Db, email: string) =>
  new AppError((await enforcementOf(tx, email)) ? 'sso-required' : 'credentials')

type Proof = Pick<z.output<typeof Credentials>, 'code' | 'passkey'>

/** A code, or a passkey of the same account. */
async function proves(tx: Db, { aside, secrets, party }: Attempt, user: Account, { code, passkey }: Proof) {
  if (!passkey) return checkSecondFactor(tx, secrets, user, code ?? '')
  const used = await usePasskey(tx, aside, party, passkey).catch(() => undefined)
  return used?.userId === user.id
}

/** A password that was set before its length was kept is seen here. */
export async function learnLength(db: Db, { id, passwordLong }: Account, password: string) {
  if (passwordLong !== null && passwordLong === isLong(password)) return
  await db
    .update(users)
    .set({ passwordLong: isLong(password) })
    .where(eq(users.id, id))
}

/** Right credentials without an active company open nothing, and say no more than wrong ones. */
export async function homeCompany(db: Db, user: Pick<Account, 'id' | 'email'>): Promise<number> {
  const closed = await closedCompany(db, user)
  const companyId = await findHome(db, user.id, closed)
  if (companyId === undefined) throw new AppError(closed === undefined ? 'credentials' : 'sso-required')
  return companyId
}

/** A new company on trial whose first user is its administrator; an existing company is never joined this way. */
export async function register(tx: Db, input: z.output<typeof Registration>) {
  requireStrong(input.password, { inOffice: true, secondFactor: false, email: input.email })
  if (await enforcementOf(tx, input.email)) throw new AppError('sso-required')
  const kept = await keptPassword(input.password)
  if (await findByEmail(tx, input.email)) throw new AppError('email-taken')
  const trialEndsAt = sql`now() + make_interval(days => ${TRIAL_DAYS})`
  const [company] = await tx
    .insert(companies)
    .values({ name: input.companyName, email: input.email, phone: input.phone ?? '', trialEndsAt })
    .returning()
  const { firstName, lastName, email, phone = '' } = input
  const [user] = await tx
    .insert(users)
    .values({ firstName, lastName, email, phone, ...kept })
    .onConflictDoNothing()
    .returning()
  if (!user || !company) throw new AppError('email-taken')
  await tx.insert(memberships).values({ companyId: company.id, userId: user.id, role: 'admin', acceptedAt: new Date() })
  return { user, company }
}

/**
 * Moves the session to another company of the same person, where it may go as it was opened. Somebody who has no second factor
 * yet may go where one is asked for: nothing is open to them there before they have added it.
 */
export async function switchCompany(tx: Db, actor: Person, companyId: number) {
  if (companyId !== actor.companyId) {
    const { lacksSecondFactor, hasSecondFactor } = await requireOtherCompany(tx, actor, companyId)
    if (lacksSecondFactor && hasSecondFactor) throw new AppError('second-factor-unproved')
  }
  await tx.update(sessions).set({ companyId, space: null }).where(eq(sessions.id, actor.sessionId))
}

/** Moves the session to the other space of whoever has both. */
export async function switchSpace(tx: Db, { sessionId, user }: Person, space: Space) {
  if (!user.spaces.includes(space)) throw new AppError('not-found')
  await tx.update(sessions).set({ space }).where(eq(sessions.id, sessionId))
  return { ...user, space }
}

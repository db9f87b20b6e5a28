import type { Credentials, Registration } from '@voisol/contract/auth'
import type { Space } from '@voisol/contract/permissions'
import { TRIAL_DAYS } from '@voisol/contract/plan-prices'
import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { findSsoEnforcement, findSsoOnlyCompany } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import {
  companies,
  emailVerifications,
  memberships,
  notificationPreferences,
  passwordResets,
  sessions,
  signIns,
  users,
} from '../../../db/schema/index.ts'
import type { PersonActor, SessionOpening } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireOtherCompany } from '../../../http/session-scope.ts'
import { findAccountByEmail, findHomeCompanyId, type UserAccount } from './accounts.ts'
import { authenticateWithPasskey } from './passkeys.ts'
import { buildPasswordColumns, isLongPassword, requireStrongPassword, verifyPassword } from './passwords.ts'
import {
  buildSecondFactorRequiredError,
  checkSecondFactorCode,
  listSecondFactors,
  removeSecondFactor,
} from './second-factor.ts'
import { countSignInAttempt, type SignInAttempt } from './sign-in-attempts.ts'

/**
 * The account with these credentials. Known and unknown addresses get the same answer after the same work. `onPassword`
 * runs outside the transaction and before a code is used in it: another transaction that locks the account may be
 * waiting for that code.
 */
export async function checkCredentials(
  tx: Db,
  input: z.output<typeof Credentials>,
  attempt: SignInAttempt,
  onPassword: (user: UserAccount) => Promise<unknown> = async () => {},
): Promise<{ user: UserAccount; openedWith: SessionOpening['openedWith'] }> {
  const user = await findAccountByEmail(tx, input.email)
  const limits = await countSignInAttempt(attempt, input.email, user)
  if (!(await verifyPassword(user?.passwordHash, input.password)) || !user)
    throw await buildWrongPasswordError(tx, input.email)
  await onPassword(user)
  const factors = await listSecondFactors(tx, user)
  if (factors.length) {
    if (!input.code && !input.passkey) {
      await limits.forgive()
      throw buildSecondFactorRequiredError(factors)
    }
    await limits.countCode()
    if (!(await checkSecondFactorProof(tx, attempt, user, input))) throw new AppError('second-factor')
    await limits.forgiveCode()
  }
  await limits.clear()
  if (!factors.length) return { user, openedWith: 'password' }
  return { user, openedWith: input.passkey ? 'password-passkey' : 'password-code' }
}

/** For a domain with enforced SSO, the answer does not say whether the password was right. */
const buildWrongPasswordError = async (tx: Db, email: string) =>
  new AppError((await findSsoEnforcement(tx, email)) ? 'sso-required' : 'credentials')

type SecondFactorProof = Pick<z.output<typeof Credentials>, 'code' | 'passkey'>

/** Checks a code, or a passkey of the same account. */
async function checkSecondFactorProof(
  tx: Db,
  { aside, secrets, party }: SignInAttempt,
  user: UserAccount,
  { code, passkey }: SecondFactorProof,
) {
  if (!passkey) return checkSecondFactorCode(tx, secrets, user, code ?? '')
  const used = await authenticateWithPasskey(tx, aside, party, passkey).catch(() => undefined)
  return used?.userId === user.id
}

/** Records the length class of a password that was set before this column existed. */
export async function recordPasswordLength(db: Db, { id, passwordLong }: UserAccount, password: string) {
  if (passwordLong !== null && passwordLong === isLongPassword(password)) return
  await db
    .update(users)
    .set({ passwordLong: isLongPassword(password) })
    .where(eq(users.id, id))
}

/** Valid credentials without an active company are refused with the same answer as wrong ones. */
export async function requireHomeCompanyId(db: Db, user: Pick<UserAccount, 'id' | 'email'>): Promise<number> {
  const closed = await findSsoOnlyCompany(db, user)
  const companyId = await findHomeCompanyId(db, user.id, closed)
  if (companyId === undefined) throw new AppError(closed === undefined ? 'credentials' : 'sso-required')
  return companyId
}

/** Creates a company on trial with its first administrator; nobody joins an existing company this way. */
export async function registerCompany(tx: Db, input: z.output<typeof Registration>) {
  requireStrongPassword(input.password, { inOffice: true, secondFactor: false, email: input.email })
  if (await findSsoEnforcement(tx, input.email)) throw new AppError('sso-required')
  const passwordColumns = await buildPasswordColumns(input.password)
  if (await findAccountByEmail(tx, input.email)) throw new AppError('email-taken')
  const trialEndsAt = sql`now() + make_interval(days => ${TRIAL_DAYS})`
  const [company] = await tx
    .insert(companies)
    .values({ name: input.companyName, email: input.email, phone: input.phone ?? '', trialEndsAt })
    .returning()
  const { firstName, lastName, email, phone = '' } = input
  const [user] = await tx
    .insert(users)
    .values({ firstName, lastName, email, phone, ...passwordColumns })
    .onConflictDoNothing()
    .returning()
  if (!user || !company) throw new AppError('email-taken')
  await tx.insert(memberships).values({ companyId: company.id, userId: user.id, role: 'admin', acceptedAt: new Date() })
  return { user, company }
}

/**
 * Moves the session to another company of the same person, if the way it was opened allows it. A person without a
 * second factor may enter a company that requires one, but nothing is accessible there until it is added.
 */
export async function switchCompany(tx: Db, actor: PersonActor, companyId: number) {
  if (companyId !== actor.companyId) {
    const { lacksSecondFactor, hasSecondFactor } = await requireOtherCompany(tx, actor, companyId)
    if (lacksSecondFactor && hasSecondFactor) throw new AppError('second-factor-unproved')
  }
  await tx.update(sessions).set({ companyId, space: null }).where(eq(sessions.id, actor.sessionId))
}

/** Switches the session between back office and portal, for users who have both. */
export async function switchSpace(tx: Db, { sessionId, user }: PersonActor, space: Space) {
  if (!user.spaces.includes(space)) throw new AppError('not-found')
  await tx.update(sessions).set({ space }).where(eq(sessions.id, sessionId))
  return { ...user, space }
}

/** An address that cannot exist, so that the person can register again with their own. */
const buildClosedAccountEmail = (userId: string) => `compte-ferme-${userId}@voisol.invalid`

/** Removes all personal data of an account without any company; its row stays, because other rows refer to its id. */
export async function anonymizeAccount(tx: Db, userId: string): Promise<void> {
  await removeSecondFactor(tx, userId)
  for (const table of [sessions, signIns, passwordResets, emailVerifications, notificationPreferences])
    await tx.delete(table).where(eq(table.userId, userId))
  await tx
    .update(users)
    .set({
      email: buildClosedAccountEmail(userId),
      firstName: 'Compte',
      lastName: 'fermé',
      phone: '',
      passwordHash: null,
      passwordLong: null,
      emailVerifiedAt: null,
      lastSignInAt: null,
    })
    .where(eq(users.id, userId))
}

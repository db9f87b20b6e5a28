import type { Credentials, Registration } from '@voisol/contract/auth'
import type { Space } from '@voisol/contract/permissions'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, sessions, users } from '../../../db/schema/index.ts'
import type { Actor, Person } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { clearThrottle, forgive, throttle } from '../../../http/throttle.ts'
import { type Account, findByEmail, findHome, isActive } from './accounts.ts'
import { hashPassword, requireStrong, verifyPassword } from './passwords.ts'
import { type Attempt, WINDOW } from './refusals.ts'
import { checkSecondFactor } from './second-factor.ts'

export { findByEmail, isActive, lockAccount, worksThere } from './accounts.ts'
export { currentUser } from './current-user.ts'
export { NOTICES, tellOwner } from './notices.ts'
export { hashPassword } from './passwords.ts'
export { removeSecondFactor } from './second-factor-setup.ts'
export { listSessions } from './sessions.ts'
export { requireVerified } from './verification.ts'

export const TRIAL_DAYS = 30
const ATTEMPTS = 5

export const accountKey = (email: string) => `login account ${email}`

/** The account of these credentials. Known and unknown addresses get the same answer after the same work. */
export async function checkCredentials(
  tx: Db,
  input: z.output<typeof Credentials>,
  { aside, secrets, request }: Attempt,
): Promise<Account> {
  const keys = [accountKey(input.email), `login ip ${request.ip}`] as const
  for (const key of keys) await throttle(aside, key, ATTEMPTS, WINDOW)
  const user = await findByEmail(tx, input.email)
  if (!(await verifyPassword(user?.passwordHash, input.password)) || !user) throw new AppError('credentials')
  if (user.totpEnabledAt) {
    if (!input.code) {
      for (const key of keys) await forgive(aside, key)
      throw new AppError('second-factor-required')
    }
    if (!(await checkSecondFactor(tx, secrets, user, input.code))) throw new AppError('second-factor')
  }
  await clearThrottle(aside, keys[0])
  await forgive(aside, keys[1])
  return user
}

/** Right credentials without an active company open nothing, and say no more than wrong ones. */
export async function homeCompany(db: Db, userId: string): Promise<number> {
  const companyId = await findHome(db, userId)
  if (companyId === undefined) throw new AppError('credentials')
  return companyId
}

/** A new company on trial whose first user is its administrator; an existing company is never joined this way. */
export async function register(tx: Db, input: z.output<typeof Registration>) {
  requireStrong(input.password, { inOffice: true, secondFactor: false, email: input.email })
  const passwordHash = await hashPassword(input.password)
  if (await findByEmail(tx, input.email)) throw new AppError('email-taken')
  const trialEndsAt = sql`now() + make_interval(days => ${TRIAL_DAYS})`
  const [company] = await tx
    .insert(companies)
    .values({ name: input.companyName, email: input.email, phone: input.phone ?? '', trialEndsAt })
    .returning()
  const { firstName, lastName, email, phone = '' } = input
  const [user] = await tx
    .insert(users)
    .values({ firstName, lastName, email, phone, passwordHash })
    .onConflictDoNothing()
    .returning()
  if (!user || !company) throw new AppError('email-taken')
  await tx.insert(memberships).values({ companyId: company.id, userId: user.id, role: 'admin', acceptedAt: new Date() })
  return { user, company }
}

/** Moves the session to another company of the same person. */
export async function switchCompany(tx: Db, actor: Actor, companyId: number) {
  const [membership] = await tx
    .select()
    .from(memberships)
    .where(and(eq(memberships.userId, actor.userId), eq(memberships.companyId, companyId), isActive))
  if (!membership) throw new AppError('not-found')
  await tx.update(sessions).set({ companyId, space: null }).where(eq(sessions.id, actor.sessionId))
}

/** Moves the session to the other space of whoever has both. */
export async function switchSpace(tx: Db, { sessionId, user }: Person, space: Space) {
  if (!user.spaces.includes(space)) throw new AppError('not-found')
  await tx.update(sessions).set({ space }).where(eq(sessions.id, sessionId))
  return { ...user, space }
}

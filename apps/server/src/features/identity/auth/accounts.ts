import { and, asc, desc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { memberships, sessions, users } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'

export type UserAccount = typeof users.$inferSelect

export const findAccountByEmail = async (db: Db, email: string) =>
  (await db.select().from(users).where(sql`lower(${users.email}) = ${email.toLowerCase()}`))[0]

export const findAccount = async (db: Db, userId: string) =>
  (await db.select().from(users).where(eq(users.id, userId)))[0]

/** Loads the account and locks it until the end of the caller's transaction. */
export async function lockUserAccount(tx: Db, userId: string): Promise<UserAccount> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  if (!user) throw new AppError('not-found')
  return user
}

/**
 * Locks the account before its credentials change, also against concurrent sign-ins. A session being created refers to
 * the account by foreign key, so that one waits for the other: the new session sees the change, or exists already and
 * is ended with the others. Only the changing side takes an explicit lock, because signing in must work while a Citus
 * node is down.
 */
export async function lockCredentials(tx: Db, userId: string): Promise<UserAccount> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user) throw new AppError('not-found')
  return user
}

/** Whether the account is or was a member of a company. */
export async function hasAcceptedMembership(db: Db, userId: string): Promise<boolean> {
  const accepted = and(eq(memberships.userId, userId), isNotNull(memberships.acceptedAt))
  return (await db.$count(memberships, accepted)) > 0
}

/** A membership of the back office: any role but a client's. */
export const isOfficeMembership = ne(memberships.role, 'client')
/** A membership that gives access to its company. */
export const isActiveMembership = and(isNotNull(memberships.acceptedAt), isNull(memberships.disabledAt))

/**
 * The company opened by a sign-in: that of the latest session, or else of the oldest membership, among those with
 * access.
 */
export async function findHomeCompanyId(
  db: Db,
  userId: string | undefined,
  closed?: number | undefined,
): Promise<number | undefined> {
  if (!userId) return undefined
  const [row] = await db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .leftJoin(sessions, and(eq(sessions.userId, userId), eq(sessions.companyId, memberships.companyId)))
    .where(
      and(
        eq(memberships.userId, userId),
        isActiveMembership,
        closed === undefined ? undefined : ne(memberships.companyId, closed),
      ),
    )
    .orderBy(sql`${desc(sessions.createdAt)} nulls last`, asc(memberships.createdAt))
    .limit(1)
  return row?.companyId
}

/** Members of any back office must follow the password rule for administrators. */
export async function hasOfficeMembership(db: Db, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), isOfficeMembership, isActiveMembership))
    .limit(1)
  return row !== undefined
}

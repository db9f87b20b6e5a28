import { and, asc, desc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { memberships, sessions, users } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'

export type UserAccount = typeof users.$inferSelect

export const findAccountByEmail = async (db: Db, email: string) =>
  (await db.select().from(users).where(sql`lower(${users.email}) = ${email.toLowerCase()}`))[0]

export const findAccount = async (db: Db, userId: string) =>
  (await db.select().from(users).where(eq(users.id, userId)))[0]

/** The account, held until the caller's transaction ends. */
export async function lockUserAccount(tx: Db, userId: string): Promise<UserAccount> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  if (!user) throw new AppError('not-found')
  return user
}

/**
 * The account before what opens it changes, held against sign-ins as well. A session that is being opened refers to the account, so
 * that it waits for this lock or is waited for: it then sees the change, or is there to be ended. Only the side that changes takes an
 * explicit lock, because people must come in while a machine of a cluster is away.
 */
export async function lockCredentials(tx: Db, userId: string): Promise<UserAccount> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user) throw new AppError('not-found')
  return user
}

/** Whether the account belongs to a company, even one where its access was taken away since. */
export async function hasAcceptedMembership(db: Db, userId: string): Promise<boolean> {
  const accepted = and(eq(memberships.userId, userId), isNotNull(memberships.acceptedAt))
  return (await db.$count(memberships, accepted)) > 0
}

/** A membership of the back office: any role but a client's. */
export const isOfficeMembership = ne(memberships.role, 'client')
/** A membership that opens its company. */
export const isActiveMembership = and(isNotNull(memberships.acceptedAt), isNull(memberships.disabledAt))

/** The company a sign-in opens: the one of the latest session, else the oldest membership; never the one that is closed to it. */
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

/** Whoever works in a back office anywhere is held to the administrators' rule on passwords. */
export async function hasOfficeMembership(db: Db, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), isOfficeMembership, isActiveMembership))
    .limit(1)
  return row !== undefined
}

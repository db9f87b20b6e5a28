import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { ssoConnections, ssoPeople } from '../db/schema/index.ts'
import { AppError } from '../http/errors.ts'

/**
 * Last sign-in of each person of a company (`user_id`, `at`), to be joined to company tables. Accounts are on the first
 * machine of a Citus cluster: where company rows are elsewhere they are read first and passed as values. A join would
 * be sent to every machine, and one that is down would block the other companies.
 */
export async function loadSignInsSql(db: Db, companyId: number): Promise<SQL> {
  if (!db.$jobs.spread) return sql`sign_ins`
  const { rows } = await db.execute<{ users: string[] | null; times: string[] | null }>(sql`
    select array_agg(i.user_id::text) as users, array_agg(i.at::text) as times
      from sign_ins i join memberships m on m.user_id = i.user_id where m.company_id = ${companyId}`)
  const { users, times } = rows[0] ?? {}
  return sql`(select u.user_id, u.at from unnest(${sql.param(users ?? [])}::uuid[], ${sql.param(times ?? [])}::timestamptz[]) u(user_id, at))`
}

export {
  findSsoEnforcement,
  findSsoOnlyCompany,
  getEmailDomain,
  loadOpenConnection,
  type SsoEnforcement,
} from '../http/session-scope.ts'

/**
 * Whether an identity provider or a directory created this account: without a password it is then not a pending
 * invitation.
 */
export async function isKnownToProvider(db: Db, userId: string): Promise<boolean> {
  const [row] = await db.select({ id: ssoPeople.userId }).from(ssoPeople).where(eq(ssoPeople.userId, userId)).limit(1)
  return row !== undefined
}

/** The break-glass administrator cannot be removed: if the provider fails, everybody would be locked out. */
export async function requireNotBreakGlass(db: Db, companyId: number, userId: string) {
  const [kept] = await db
    .select({ name: ssoConnections.name })
    .from(ssoConnections)
    .where(
      and(
        eq(ssoConnections.companyId, companyId),
        eq(ssoConnections.breakGlassId, userId),
        isNotNull(ssoConnections.enforcedAt),
      ),
    )
  if (kept)
    throw new AppError('conflict', {
      message: `Cette personne est l’administrateur de secours de la connexion «\u00a0${kept.name}\u00a0»\u00a0: choisissez-en un autre d’abord.`,
    })
}

import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { ssoConnections, ssoPeople } from '../db/schema/index.ts'
import { AppError } from '../http/errors.ts'

export {
  findSsoEnforcement,
  findSsoOnlyCompany,
  getEmailDomain,
  loadOpenConnection,
  type SsoEnforcement,
} from '../http/imposed-sign-on.ts'

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

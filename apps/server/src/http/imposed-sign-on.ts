import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { ssoConnections, ssoDomains } from '../db/schema/index.ts'

/** The company that lets people of a domain in by its own provider alone, and the one whose password still opens it. */
export type SsoEnforcement = { companyId: number; breakGlassId: string }

export const getEmailDomain = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The connection that people of an address may come in by: it is switched on, and its company proved the domain. */
export async function loadOpenConnection(db: Db, email: string) {
  const [row] = await db
    .select({ connection: ssoConnections })
    .from(ssoDomains)
    .innerJoin(
      ssoConnections,
      and(eq(ssoConnections.companyId, ssoDomains.companyId), eq(ssoConnections.id, ssoDomains.connectionId)),
    )
    .where(
      and(
        eq(ssoDomains.domain, getEmailDomain(email)),
        isNotNull(ssoDomains.provedAt),
        isNotNull(ssoConnections.activatedAt),
      ),
    )
  return row?.connection
}

/** Who decides how this address comes in, where somebody proved its domain and imposed it. */
export async function findSsoEnforcement(db: Db, email: string): Promise<SsoEnforcement | undefined> {
  const connection = await loadOpenConnection(db, email)
  if (!connection?.enforcedAt || !connection.breakGlassId) return undefined
  return { companyId: connection.companyId, breakGlassId: connection.breakGlassId }
}

/** The company that this account may not open but through its provider. */
export async function findSsoOnlyCompany(db: Db, user: { id: string; email: string }): Promise<number | undefined> {
  const rule = await findSsoEnforcement(db, user.email)
  return rule && rule.breakGlassId !== user.id ? rule.companyId : undefined
}

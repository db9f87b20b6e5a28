import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { ssoConnections, ssoDomains } from '../db/schema/index.ts'

/** The company that lets people of a domain in by its own provider alone, and the one whose password still opens it. */
export type Enforcement = { companyId: number; breakGlassId: string }

export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Who decides how this address comes in, where somebody proved its domain and imposed it. */
export async function enforcementOf(db: Db, email: string): Promise<Enforcement | undefined> {
  const [row] = await db
    .select({ companyId: ssoConnections.companyId, breakGlassId: ssoConnections.breakGlassId })
    .from(ssoDomains)
    .innerJoin(
      ssoConnections,
      and(eq(ssoConnections.companyId, ssoDomains.companyId), eq(ssoConnections.id, ssoDomains.connectionId)),
    )
    .where(
      and(
        eq(ssoDomains.domain, domainOf(email)),
        isNotNull(ssoDomains.provedAt),
        isNotNull(ssoConnections.activatedAt),
        isNotNull(ssoConnections.enforcedAt),
      ),
    )
  return row?.breakGlassId ? { companyId: row.companyId, breakGlassId: row.breakGlassId } : undefined
}

/** The company that this account may not open but through its provider. */
export async function closedCompany(db: Db, user: { id: string; email: string }): Promise<number | undefined> {
  const rule = await enforcementOf(db, user.email)
  return rule && rule.breakGlassId !== user.id ? rule.companyId : undefined
}

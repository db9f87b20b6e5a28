import { and, eq, isNotNull } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { brandHosts } from '../db/schema/index.ts'

/** The company that verified a host, by its name without the port. */
export async function findCompanyIdOfHost(db: Db, host: string): Promise<number | undefined> {
  const [row] = await db
    .select({ companyId: brandHosts.companyId })
    .from(brandHosts)
    .where(and(eq(brandHosts.host, host.toLowerCase().replace(/\.$/, '')), isNotNull(brandHosts.provedAt)))
  return row?.companyId
}

export type BrandLinkConfig = Pick<Config, 'BRAND_LINK_DELAY_HOURS'>

/**
 * From when links in messages use a host. An attacker with an administrator's session could register a host of their
 * own: no link with a token goes there before every administrator had time to react.
 */
export const getBrandLinksStart = (provedAt: Date, { BRAND_LINK_DELAY_HOURS }: BrandLinkConfig) =>
  new Date(provedAt.getTime() + BRAND_LINK_DELAY_HOURS * 3_600_000)

/** The same URL on another host: protocol and port are those of the installation. */
export function replaceHost(home: string, host: string | null | undefined): string {
  if (!host) return home
  const at = new URL(home)
  at.hostname = host
  return at.origin
}

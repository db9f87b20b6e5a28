import { and, eq, isNotNull } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { brandHosts } from '../db/schema/index.ts'

/** The company that has proved a host, by its bare name: a port is nobody's. */
export async function findCompanyIdOfHost(db: Db, host: string): Promise<number | undefined> {
  const [row] = await db
    .select({ companyId: brandHosts.companyId })
    .from(brandHosts)
    .where(and(eq(brandHosts.host, host.toLowerCase().replace(/\.$/, '')), isNotNull(brandHosts.provedAt)))
  return row?.companyId
}

export type BrandLinkConfig = Pick<Config, 'BRAND_LINK_DELAY_HOURS'>

/**
 * From when the links of messages lead to a host. Somebody who takes over an administrator's session could point the host at a
 * machine of theirs: no link that carries a token goes there before every administrator has had the time to stop it.
 */
export const getBrandLinksStart = (provedAt: Date, { BRAND_LINK_DELAY_HOURS }: BrandLinkConfig) =>
  new Date(provedAt.getTime() + BRAND_LINK_DELAY_HOURS * 3_600_000)

/** The same place under another name: its protocol and its port are those of the installation. */
export function replaceHost(home: string, host: string | null | undefined): string {
  if (!host) return home
  const at = new URL(home)
  at.hostname = host
  return at.origin
}

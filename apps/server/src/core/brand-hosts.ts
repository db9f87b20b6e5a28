import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { brandHosts } from '../db/schema/index.ts'

/** The company that has proved a host, by its bare name: a port is nobody's. */
export async function companyOfHost(db: Db, host: string): Promise<number | undefined> {
  const [row] = await db
    .select({ companyId: brandHosts.companyId })
    .from(brandHosts)
    .where(and(eq(brandHosts.host, host.toLowerCase().replace(/\.$/, '')), isNotNull(brandHosts.provedAt)))
  return row?.companyId
}

/** The same place under another name: its protocol and its port are those of the installation. */
export function homeAt(home: string, host: string | null | undefined): string {
  if (!host) return home
  const at = new URL(home)
  at.hostname = host
  return at.origin
}

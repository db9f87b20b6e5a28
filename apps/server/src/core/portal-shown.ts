import { PORTAL_BLOCKS, type PortalShown } from '@voisol/contract/portal-management'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { portalSettings } from '../db/schema/index.ts'

const USUAL: PortalShown = {
  blocks: PORTAL_BLOCKS.map((key) => ({ key, shown: true })),
  comparison: true,
  welcome: '',
}

/** What a company shows its participants; version 0 where it has chosen nothing. A block that came later stands last, and shows. */
export async function portalShown(db: Db, companyId: number): Promise<PortalShown & { version: number }> {
  const [row] = await db.select().from(portalSettings).where(eq(portalSettings.companyId, companyId))
  if (!row) return { ...USUAL, version: 0 }
  const { comparison, welcome, version } = row
  const known = row.blocks.filter(({ key }) => PORTAL_BLOCKS.includes(key))
  const later = USUAL.blocks.filter(({ key }) => !known.some((block) => block.key === key))
  return { blocks: [...known, ...later], comparison, welcome, version }
}

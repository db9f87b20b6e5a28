import { PORTAL_BLOCKS, type PortalSettings } from '@voisol/contract/portal-management'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { portalSettings } from '../db/schema/index.ts'

const DEFAULT_PORTAL_DISPLAY: PortalSettings = {
  blocks: PORTAL_BLOCKS.map((key) => ({ key, shown: true })),
  comparison: true,
  welcome: '',
}

/**
 * What a company shows its participants; version 0 before any choice. A block added to the product later comes last,
 * and is shown.
 */
export async function loadPortalDisplay(db: Db, companyId: number): Promise<PortalSettings & { version: number }> {
  const [row] = await db.select().from(portalSettings).where(eq(portalSettings.companyId, companyId))
  if (!row) return { ...DEFAULT_PORTAL_DISPLAY, version: 0 }
  const { comparison, welcome, version } = row
  const known = row.blocks.filter(({ key }) => PORTAL_BLOCKS.includes(key))
  const later = DEFAULT_PORTAL_DISPLAY.blocks.filter(({ key }) => !known.some((block) => block.key === key))
  return { blocks: [...known, ...later], comparison, welcome, version }
}

import { PORTAL_BLOCKS } from '@voisol/contract/access'
import type { PortalSettings } from '@voisol/contract/portal-management'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { companies, portalSettings, retiredCurves } from '../db/schema/index.ts'
import { AppError } from '../http/errors.ts'

/** Serialises changes of one kind in a company: two administrators removing each other at once would leave none. */
export const lockCompany = (tx: Db, companyId: number) =>
  tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update')

/** Whether a company is an example of another: its people are invented, and nothing may be sent from it. */
export async function isExampleCompany(db: Db, companyId: number): Promise<boolean> {
  const [row] = await db.select({ of: companies.exampleOf }).from(companies).where(eq(companies.id, companyId))
  return row?.of != null
}

/** Refuses calls to the outside world from an example company. */
export async function requireNotExampleCompany(db: Db, companyId: number): Promise<void> {
  if (await isExampleCompany(db, companyId))
    throw new AppError('conflict', {
      message: 'Ceci est une organisation d’exemple\u00a0: elle n’échange rien avec l’extérieur.',
    })
}

/**
 * The first day whose steps a company still keeps; null when it keeps them all. Before it every step is missing and
 * only sums remain: they are neither computed again nor overwritten.
 */
export async function loadFirstRetainedDay(db: Db, companyId: number): Promise<string | null> {
  const [row] = await db
    .select({ before: retiredCurves.before })
    .from(retiredCurves)
    .where(eq(retiredCurves.companyId, companyId))
  return row?.before ?? null
}

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

import {
  DEFAULT_WHITE_LABEL,
  WhiteLabel,
  type WhiteLabelRecord,
  type WhiteLabelUpdate,
} from '@voisol/contract/white-label'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { companies, whiteLabels } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { lockActorCompany } from '../../identity/companies/index.ts'
import { setBrandHost } from './brand-hosts.ts'
import { toOwnPicturePath } from './brand-images.ts'

type StoredWhiteLabel = Partial<WhiteLabel>
type WhiteLabelView = z.output<typeof WhiteLabelRecord>
type BrandOwner = { companyId: number; name: string }

/** Only what a company has chosen is stored; the rest follows the defaults. */
const completeWhiteLabel = (
  stored: StoredWhiteLabel,
  { companyId, name }: BrandOwner,
  version: number,
): WhiteLabelView => ({
  ...WhiteLabel.parse({ ...keepValidFields(stored, companyId), companyName: stored.companyName || name }),
  version,
})

/** What was kept under an older rule and no longer holds is as if it had not been chosen. */
function keepValidFields(stored: StoredWhiteLabel, companyId: number): StoredWhiteLabel {
  const kept = Object.entries(stored).filter(([name, value]) => {
    const field = WhiteLabel.shape[name as keyof WhiteLabel] as z.ZodType | undefined // a name that is none has no schema
    return field?.safeParse(value).success
  })
  return WhiteLabel.partial().parse(
    Object.fromEntries(
      kept.map(([name, value]) => [name, typeof value === 'string' ? toOwnPicturePath(companyId, value) : value]),
    ),
  )
}

/**
 * Public: a page is drawn in its company's colours before anybody signs in. A company that chose none is like one that
 * does not exist: counting numbers up tells neither which companies there are nor what they are called.
 */
export async function loadWhiteLabel(db: Db, companyId: number): Promise<WhiteLabelView> {
  const [row] = await db
    .select({ name: companies.name, config: whiteLabels.config, version: whiteLabels.version })
    .from(companies)
    .innerJoin(whiteLabels, eq(whiteLabels.companyId, companies.id))
    .where(eq(companies.id, companyId))
  if (!row) return { ...DEFAULT_WHITE_LABEL, version: 0 }
  return completeWhiteLabel(row.config as StoredWhiteLabel, { companyId, name: row.name }, row.version) // written by updateWhiteLabel alone
}

/** What a company has chosen so far. */
export async function loadStoredWhiteLabel(
  db: Db,
  companyId: number,
): Promise<{ config: StoredWhiteLabel; version: number }> {
  const [row] = await db.select().from(whiteLabels).where(eq(whiteLabels.companyId, companyId))
  return { config: (row?.config ?? {}) as StoredWhiteLabel, version: row?.version ?? 0 } // written by updateWhiteLabel alone
}

export async function updateWhiteLabel(
  tx: Db,
  config: Deps['config'],
  actor: Actor,
  companyId: number,
  input: z.output<typeof WhiteLabelUpdate>,
) {
  const { version, ...given } = input
  const company = await lockActorCompany(tx, actor, companyId)
  const owner = { companyId, name: company.name }
  const { config: before, version: known } = await loadStoredWhiteLabel(tx, companyId)
  requireCurrentVersion(completeWhiteLabel(before, owner, known), input)
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const chosen: StoredWhiteLabel = { ...before, ...named }
  if (given.customDomain !== undefined) await setBrandHost(tx, config, companyId, given.customDomain)
  await tx
    .insert(whiteLabels)
    .values({ companyId, config: chosen, version: version + 1 })
    .onConflictDoUpdate({ target: whiteLabels.companyId, set: { config: chosen, version: version + 1 } })
  const data = { fields: Object.keys(named), version: version + 1 }
  await recordEvent(tx, { companyId, name: 'brand.changed', object: String(companyId), data })
  return { before, after: completeWhiteLabel(chosen, owner, version + 1), company, named }
}

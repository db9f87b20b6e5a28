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
import type { Actor } from '../../../http/actor.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { lockCompany } from '../../people/companies/companies.ts'

type Stored = Partial<WhiteLabel>
type Label = z.output<typeof WhiteLabelRecord>

/** Only what a company has chosen is stored; the rest follows the defaults. */
const complete = (stored: Stored, companyName: string, version: number): Label => ({
  ...WhiteLabel.parse({ ...sound(stored), companyName: stored.companyName || companyName }),
  version,
})

/** What was kept under an older rule and no longer holds is as if it had not been chosen. */
const sound = (stored: Stored): Stored =>
  WhiteLabel.partial().parse(
    Object.fromEntries(
      Object.entries(stored).filter(([name, value]) => {
        const field = WhiteLabel.shape[name as keyof WhiteLabel] as z.ZodType | undefined // a name that is none has no schema
        return field?.safeParse(value).success
      }),
    ),
  )

/**
 * Public: a page is drawn in its company's colours before anybody signs in. A company that chose none is like one that
 * does not exist: counting numbers up tells neither which companies there are nor what they are called.
 */
export async function getWhiteLabel(db: Db, companyId: number): Promise<Label> {
  const [row] = await db
    .select({ name: companies.name, config: whiteLabels.config, version: whiteLabels.version })
    .from(companies)
    .innerJoin(whiteLabels, eq(whiteLabels.companyId, companies.id))
    .where(eq(companies.id, companyId))
  if (!row) return { ...DEFAULT_WHITE_LABEL, version: 0 }
  return complete(row.config as Stored, row.name, row.version) // written by updateWhiteLabel alone
}

export async function updateWhiteLabel(
  tx: Db,
  actor: Actor,
  companyId: number,
  input: z.output<typeof WhiteLabelUpdate>,
) {
  const { version, ...given } = input
  const company = await lockCompany(tx, actor, companyId)
  const [row] = await tx.select().from(whiteLabels).where(eq(whiteLabels.companyId, companyId))
  const before = (row?.config ?? {}) as Stored // written by this function alone
  requireVersion(complete(before, company.name, row?.version ?? 0), input)
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const config: Stored = { ...before, ...named }
  await tx
    .insert(whiteLabels)
    .values({ companyId, config, version: version + 1 })
    .onConflictDoUpdate({ target: whiteLabels.companyId, set: { config, version: version + 1 } })
  return { before, after: complete(config, company.name, version + 1), company, named }
}

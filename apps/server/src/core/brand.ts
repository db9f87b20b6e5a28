import { WhiteLabel } from '@voisol/contract/white-label'
import type { Brand } from '@voisol/documents/pdf/frame'
import { COLOURS } from '@voisol/documents/pdf/style'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../db/client.ts'
import { companies, files, whiteLabels } from '../db/schema/index.ts'
import type { FileStore } from '../integrations/files/files.ts'
import { getFileKey } from './stored-files.ts'

const { companyName, primaryColor, companyEmail } = WhiteLabel.shape
/** A stored value that a newer rule refuses counts as not set. */
const BrandSettings = z.object({
  companyName: companyName.unwrap().catch(''),
  primaryColor: primaryColor.unwrap().catch(''),
  companyEmail: companyEmail.unwrap().catch(''),
})

/** The brand of a company's documents: its settings, or its name and our colour. */
export async function loadBrand(db: Db, companyId: number): Promise<Brand> {
  const [row] = await db
    .select({ name: companies.name, email: companies.email, config: whiteLabels.config })
    .from(companies)
    .leftJoin(whiteLabels, eq(whiteLabels.companyId, companies.id))
    .where(eq(companies.id, companyId))
  const chosen = BrandSettings.parse(row?.config ?? {})
  return {
    name: chosen.companyName || (row?.name ?? ''),
    colour: chosen.primaryColor || COLOURS.night,
    contact: chosen.companyEmail || (row?.email ?? ''),
  }
}

/** The colour of a company, stored with documents as of the day they are made. */
export async function loadCompanyColour(db: Db, companyId: number): Promise<string> {
  const [row] = await db
    .select({ config: whiteLabels.config })
    .from(whiteLabels)
    .where(eq(whiteLabels.companyId, companyId))
  return BrandSettings.parse(row?.config ?? {}).primaryColor
}

/** The brand of a creditor's letter: its own name, in the colour of the company that sends it. */
export const toCreditorBrand = ({ colour }: Brand, { name, email }: { name: string; email: string }): Brand => ({
  name,
  colour,
  contact: email,
})

const LogoSettings = z.object({ customLogo: z.string().catch(''), logoUrl: z.string().catch('') })
/** An uploaded logo has a generated name. */
const BRAND_PICTURE_PATH = /\/brand-pictures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:png|jpg)$/

/** The logo of a company in a format for PDF; undefined without one, or with one that only screens can show. */
export async function loadCompanyLogo(db: Db, store: FileStore, companyId: number): Promise<Uint8Array | undefined> {
  const [row] = await db
    .select({ config: whiteLabels.config })
    .from(whiteLabels)
    .where(eq(whiteLabels.companyId, companyId))
  const { customLogo, logoUrl } = LogoSettings.parse(row?.config ?? {})
  const id = BRAND_PICTURE_PATH.exec(customLogo || logoUrl)?.[1]
  if (!id) return undefined
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.companyId, companyId), eq(files.id, id)))
  return file && (await store.get(getFileKey(file)))
}

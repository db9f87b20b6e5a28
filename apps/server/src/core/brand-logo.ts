import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { FileStore } from '../adapters/files/files.ts'
import type { Db } from '../db/client.ts'
import { files, whiteLabels } from '../db/schema/index.ts'
import { getFileKey } from './kept-files.ts'

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

import type { ContentDraft, ContentVersion } from '@voisol/contract/content'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contentVersions } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { loadContentRecord } from './rows.ts'
import { type ContentDeps, parseStoredTexts } from './texts.ts'

type Version = z.infer<typeof ContentVersion>
type NewVersion = { contentId: string; number: number; event: Version['event']; draft: ContentDraft; savedBy: string }

const isVersionOf = (contentId: string) =>
  and(eq(contentVersions.companyId, SITE_OWNER_ID), eq(contentVersions.contentId, contentId))

/** Every change leaves one: the number is the version the content has from then on. */
export const appendVersion = async (tx: Db, entry: NewVersion) =>
  tx.insert(contentVersions).values({ companyId: await loadSiteOwnerId(tx), ...entry })

export async function listVersions(ctx: ContentDeps, id: string): Promise<Version[]> {
  const { db } = ctx
  await loadContentRecord(db, id)
  const rows = await db.select().from(contentVersions).where(isVersionOf(id)).orderBy(desc(contentVersions.number))
  const bodies = rows.map(({ draft }) => (draft as ContentDraft).body) // as it was saved
  const read = await parseStoredTexts(ctx, bodies)
  return rows.map(({ number, event, savedAt, savedBy, draft }, at) => {
    const { title } = draft as ContentDraft // as above
    const words = read[at]?.words ?? 0
    return { number, event: event as Version['event'], savedAt: savedAt.toISOString(), savedBy, title, words } // see Entry
  })
}

/** The greatest number the column holds. */
const MAX_NUMBER = 2_147_483_647

export async function loadVersionDraft(db: Db, id: string, number: number): Promise<ContentDraft> {
  if (number > MAX_NUMBER) throw new AppError('not-found')
  const [row] = await db
    .select()
    .from(contentVersions)
    .where(and(isVersionOf(id), eq(contentVersions.number, number)))
  if (!row) throw new AppError('not-found')
  return row.draft as ContentDraft // as it was saved
}

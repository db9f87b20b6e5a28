import type { ContentDraft, ContentVersion } from '@voisol/contract/content'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { SITE, siteCompany } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contentVersions } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { getRecord } from './rows.ts'
import { type Reader, readTexts } from './texts.ts'

type Version = z.infer<typeof ContentVersion>
type Entry = { contentId: string; number: number; event: Version['event']; draft: ContentDraft; savedBy: string }

const of = (contentId: string) => and(eq(contentVersions.companyId, SITE), eq(contentVersions.contentId, contentId))

/** Every change leaves one: the number is the version the content has from then on. */
export const appendVersion = async (tx: Db, entry: Entry) =>
  tx.insert(contentVersions).values({ companyId: await siteCompany(tx), ...entry })

export async function listVersions(ctx: Reader, id: string): Promise<Version[]> {
  const { db } = ctx
  await getRecord(db, id)
  const rows = await db.select().from(contentVersions).where(of(id)).orderBy(desc(contentVersions.number))
  const bodies = rows.map(({ draft }) => (draft as ContentDraft).body) // as it was saved
  const read = await readTexts(ctx, bodies)
  return rows.map(({ number, event, savedAt, savedBy, draft }, at) => {
    const { title } = draft as ContentDraft // as above
    const words = read[at]?.words ?? 0
    return { number, event: event as Version['event'], savedAt: savedAt.toISOString(), savedBy, title, words } // see Entry
  })
}

/** The greatest number the column holds. */
const MAX_NUMBER = 2_147_483_647

export async function draftOf(db: Db, id: string, number: number): Promise<ContentDraft> {
  if (number > MAX_NUMBER) throw new AppError('not-found')
  const [row] = await db
    .select()
    .from(contentVersions)
    .where(and(of(id), eq(contentVersions.number, number)))
  if (!row) throw new AppError('not-found')
  return row.draft as ContentDraft // as it was saved
}

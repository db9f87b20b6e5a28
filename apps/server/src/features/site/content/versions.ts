import type { ContentDraft, ContentVersion } from '@voisol/contract/content'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { SITE } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contentVersions } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { rememberedProse } from '../../../prose/remembered.ts'
import { getRecord } from './rows.ts'

type Version = z.infer<typeof ContentVersion>
type Entry = { contentId: string; number: number; event: Version['event']; draft: ContentDraft; savedBy: string }

const of = (contentId: string) => and(eq(contentVersions.companyId, SITE), eq(contentVersions.contentId, contentId))

/** Every change leaves one: the number is the version the content has from then on. */
export const appendVersion = (tx: Db, entry: Entry) => tx.insert(contentVersions).values({ companyId: SITE, ...entry })

export async function listVersions(db: Db, id: string): Promise<Version[]> {
  await getRecord(db, id)
  const rows = await db.select().from(contentVersions).where(of(id)).orderBy(desc(contentVersions.number))
  return rows.map(({ number, event, savedAt, savedBy, draft }) => {
    const { title, body } = draft as ContentDraft // as it was saved
    const words = rememberedProse(body).words
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

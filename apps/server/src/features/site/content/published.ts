import type { ContentDraft, ContentKind } from '@voisol/contract/content'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import { getContentPath } from './address.ts'
import { isSiteContent, toStoredContent } from './rows.ts'

/** What readers see, and nothing of what is being written. */
export type PublishedContent = {
  id: string
  kind: ContentKind
  slug: string
  draft: ContentDraft
  publishedAt: Date
  changedAt: Date
}

export const isPublished = and(isSiteContent, eq(contents.status, 'published'), isNotNull(contents.live))

export function toPublishedContent(row: typeof contents.$inferSelect): PublishedContent {
  const { id, kind, slug, live, draft, publishedAt, liveAt, updatedAt } = toStoredContent(row)
  const changedAt = liveAt ?? updatedAt
  return { id, kind, slug, draft: live ?? draft, publishedAt: publishedAt ?? changedAt, changedAt }
}

export async function findPublishedContent(
  db: Db,
  kind: ContentKind,
  slug: string,
): Promise<PublishedContent | undefined> {
  const [row] = await db
    .select()
    .from(contents)
    .where(and(isPublished, eq(contents.kind, kind), eq(contents.slug, slug)))
  return row && toPublishedContent(row)
}

/** Every address at which something published is read. */
export async function listPublishedPaths(db: Db): Promise<string[]> {
  const rows = await db.select().from(contents).where(isPublished)
  return rows.map(toPublishedContent).map(({ kind, draft, slug }) => getContentPath(kind, draft.category, slug))
}

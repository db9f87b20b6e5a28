import type { ContentDraft, ContentKind } from '@voisol/contract/content'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import { addressOf } from './address.ts'
import { asContent, ofSite } from './rows.ts'

/** What readers see, and nothing of what is being written. */
export type Published = {
  id: string
  kind: ContentKind
  slug: string
  draft: ContentDraft
  publishedAt: Date
  changedAt: Date
}

export const isShown = and(ofSite, eq(contents.status, 'published'), isNotNull(contents.live))

export function toPublished(row: typeof contents.$inferSelect): Published {
  const { id, kind, slug, live, draft, publishedAt, liveAt, updatedAt } = asContent(row)
  const changedAt = liveAt ?? updatedAt
  return { id, kind, slug, draft: live ?? draft, publishedAt: publishedAt ?? changedAt, changedAt }
}

export async function findPublished(db: Db, kind: ContentKind, slug: string): Promise<Published | undefined> {
  const [row] = await db
    .select()
    .from(contents)
    .where(and(isShown, eq(contents.kind, kind), eq(contents.slug, slug)))
  return row && toPublished(row)
}

/** Every address at which something published is read. */
export async function publishedAddresses(db: Db): Promise<string[]> {
  const rows = await db.select().from(contents).where(isShown)
  return rows.map(toPublished).map(({ kind, draft, slug }) => addressOf(kind, draft.category, slug))
}

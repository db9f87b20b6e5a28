import type { ContentKind } from '@voisol/contract/content'
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import { getContentPath } from '../content/content.ts'

export type PublishedPage = { path: string; title: string; summary: string; image: string; changedAt: Date }

const liveField = (key: string) => sql<string>`coalesce(${contents.live}->>${key}, '')`
/** Only what is needed of each: the texts themselves may be long. */
const COLUMNS = {
  kind: sql<ContentKind>`${contents.kind}`,
  slug: contents.slug,
  category: liveField('category'),
  title: liveField('title'),
  summary: liveField('summary'),
  imageId: liveField('imageId'),
  liveAt: contents.liveAt,
  updatedAt: contents.updatedAt,
}

/** What the desk of the site published and that has an address of its own: a question is read in its list. */
export async function listPublishedPages(db: Db, slug?: string): Promise<PublishedPage[]> {
  const shown = and(eq(contents.status, 'published'), isNotNull(contents.live))
  const rows = await db
    .select(COLUMNS)
    .from(contents)
    .where(and(eq(contents.companyId, SITE_OWNER_ID), shown, slug === undefined ? undefined : eq(contents.slug, slug)))
    .orderBy(asc(contents.kind), asc(contents.slug))
  return rows
    .map(({ kind, category, slug: name, imageId, liveAt, updatedAt, title, summary }) => ({
      path: getContentPath(kind, category, name),
      title,
      summary,
      image: imageId && `/api/site-images/${imageId}`,
      changedAt: liveAt ?? updatedAt,
    }))
    .filter(({ path }) => !path.includes('#'))
}

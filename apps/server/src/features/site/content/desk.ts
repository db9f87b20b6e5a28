import type { ContentRow, content } from '@voisol/contract/content'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { contents } from '../../../db/schema/index.ts'
import { isSiteContent, selectContentRows, toContentRow, toStoredContent } from './rows.ts'

type Query = z.output<typeof content.list.query>

const titleColumn = sql`${contents.draft}->>'title'`
const SORTS = {
  title: sql`fold(${titleColumn})`,
  kind: contents.kind,
  category: sql`${contents.draft}->>'category'`,
  /** The order of the life cycle, not of the alphabet. */
  status: sql`array_position(array['draft', 'scheduled', 'published', 'archived'], ${contents.status})`,
  publishAt: contents.publishAt,
  publishedAt: contents.publishedAt,
  updatedAt: contents.updatedAt,
}

/** Everything the desk has written, shown or not. */
export async function listContents(db: Db, query: Query): Promise<{ items: ContentRow[]; total: number }> {
  const { limit, offset } = toLimitOffset(query)
  const where = and(
    isSiteContent,
    query.kind && eq(contents.kind, query.kind),
    query.status && eq(contents.status, query.status),
    matchesSearchWords(query.q, [
      titleColumn,
      contents.slug,
      sql`${contents.draft}->>'author'`,
      sql`${contents.draft}->>'summary'`,
    ]),
  )
  const rows = await selectContentRows(db)
    .where(where)
    .orderBy(buildOrderBy(query.sort, SORTS, '-updatedAt'), asc(contents.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(contents).where(where)
  return { items: rows.map((row) => toContentRow(toStoredContent(row), row.hasChanges)), total: all?.n ?? 0 }
}

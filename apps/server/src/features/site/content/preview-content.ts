import type { ContentRow, content } from '@voisol/contract/content'
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { contents, siteImages } from '../../../db/schema/index.ts'
import { computeReadingMinutes, listProseImages, listProseWarnings } from '../../../prose/inspect-prose.ts'
import { parseSiteImageId } from '../../../prose/prose-blocks.ts'
import type { WebBuild } from '../../../web-build.ts'
import { listPublishedPaths } from './published-content.ts'
import {
  CONTENT_PATH_PATTERN,
  type ContentDeps,
  isSiteContent,
  parseTypedText,
  selectContentRows,
  toContentRow,
  toStoredContent,
} from './stored-content.ts'

const FAQ_PATH_PATTERN = /^\/(?:resources\/)?faq#/
const stripQueryAndHash = (address: string) => (address.split(/[?#]/)[0] ?? '').replace(/(?<=.)\/$/, '')
/** `/projects/:id` answers to any id. */
const matchesPattern = (pattern: string, path: string) => {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  return wanted.length === parts.length && wanted.every((part, i) => part.startsWith(':') || part === parts[i])
}

/** Whether an address of the site leads somewhere. Without the built pages only what the desk publishes can be judged. */
function buildPathChecker(published: string[], web: WebBuild | undefined) {
  const written = new Set(published)
  const pages = web && [...web.sitePages.map(({ path }) => path), ...web.screenPaths]
  return (address: string): boolean => {
    if (FAQ_PATH_PATTERN.test(address)) return written.has(address.replace(/^\/faq/, '/resources/faq'))
    const path = stripQueryAndHash(address)
    if (written.has(path) || path.startsWith('/api/')) return true
    if (CONTENT_PATH_PATTERN.test(path)) return pages?.includes(path) ?? false
    return !pages || pages.some((pattern) => matchesPattern(pattern, path))
  }
}

/** The text as it would be shown, and what should be mended in it. */
export async function previewContent(ctx: ContentDeps, web: WebBuild | undefined, markdown: string) {
  const { db } = ctx
  const { words, ...prose } = await parseTypedText(ctx, markdown, 'body')
  const wanted = listProseImages(prose.blocks).flatMap(({ src }) => parseSiteImageId(src) ?? [])
  const found = wanted.length
    ? await db
        .select({ id: siteImages.id })
        .from(siteImages)
        .where(and(eq(siteImages.companyId, SITE_OWNER_ID), inArray(siteImages.id, wanted)))
    : []
  const images = new Set(found.map(({ id }) => id))
  const isAddress = buildPathChecker(await listPublishedPaths(db), web)
  const isKnown = (address: string) => {
    const imageId = parseSiteImageId(address)
    if (imageId) return images.has(imageId)
    return /^\/(?:product|illustrations)\//.test(address) || isAddress(address)
  }
  return {
    body: prose.blocks,
    words,
    readingMinutes: computeReadingMinutes(words),
    warnings: listProseWarnings(prose, isKnown),
  }
}

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

import type { ContentCard, ContentDraft, ContentKind, ContentPage, content } from '@voisol/contract/content'
import { hasPermission } from '@voisol/contract/permissions'
import { and, count, desc, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type SearchSource, type SearchStrategy, searchTextColumn } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { contents } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { ProseWithWordCount } from '../../../prose/cached-prose.ts'
import { computeReadingMinutes } from '../../../prose/inspect-prose.ts'
import { buildImagePath } from './images.ts'
import { type ContentDeps, getContentPath, isSiteContent, parseStoredTexts, toStoredContent } from './stored-content.ts'

/** What readers see, and nothing of what is being written. */
type PublishedContent = {
  id: string
  kind: ContentKind
  slug: string
  draft: ContentDraft
  publishedAt: Date
  changedAt: Date
}

export const isPublished = and(isSiteContent, eq(contents.status, 'published'), isNotNull(contents.live))

function toPublishedContent(row: typeof contents.$inferSelect): PublishedContent {
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

type Query = z.output<typeof content.published.query>
const MAX_RELATED = 3

const liveField = (name: string) => sql`${contents.live}->>${sql.raw(`'${name}'`)}`
const position = sql`(${liveField('position')})::int`
const SORTS = {
  position,
  publishedAt: contents.publishedAt,
  title: sql`fold(${liveField('title')})`,
  startsAt: sql`(${liveField('startsAt')})::timestamptz`,
}
/** News are read newest first, webinars by date, everything else in the order the desk gave. */
const DEFAULT_SORTS: Partial<Record<ContentKind, string>> = { article: '-publishedAt', webinar: 'startsAt' }
const orderContents = (...first: SQL[]) => [...first, position, desc(contents.publishedAt), contents.id]

function toCard(
  { kind, slug, draft, publishedAt, changedAt }: PublishedContent,
  prose: ProseWithWordCount,
): ContentCard {
  const { title, summary, category, author, imageId, imageAlt, startsAt, minutes, speaker } = draft
  return {
    kind,
    slug,
    title,
    summary,
    category,
    author,
    startsAt,
    minutes,
    speaker,
    publishedAt: publishedAt.toISOString(),
    updatedAt: changedAt.toISOString(),
    readingMinutes: computeReadingMinutes(prose.words),
    image: imageId ? { src: buildImagePath(imageId), alt: imageAlt } : null,
    body: kind === 'faq' ? prose.blocks : null,
  }
}

async function toCards(ctx: ContentDeps, found: PublishedContent[]): Promise<ContentCard[]> {
  const read = await parseStoredTexts(
    ctx,
    found.map(({ draft }) => draft.body),
  )
  return found.flatMap((one, at) => (read[at] ? [toCard(one, read[at])] : []))
}

export async function listPublishedContents(ctx: ContentDeps, kind: ContentKind, query: Query) {
  const { db } = ctx
  const { limit, offset } = toLimitOffset(query)
  const where = and(
    isPublished,
    eq(contents.kind, kind),
    query.category ? sql`${liveField('category')} = ${query.category}` : undefined,
    matchesSearchWords(query.q, [liveField('title'), liveField('summary'), liveField('body'), liveField('speaker')]),
  )
  const rows = await db
    .select()
    .from(contents)
    .where(where)
    .orderBy(...orderContents(buildOrderBy(query.sort, SORTS, DEFAULT_SORTS[kind] ?? 'position')))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(contents).where(where)
  return { items: await toCards(ctx, rows.map(toPublishedContent)), total: all?.n ?? 0 }
}

/** Others of the same kind, those of the same shelf first. */
async function listRelated(ctx: ContentDeps, { id, kind, draft }: PublishedContent): Promise<ContentCard[]> {
  const rows = await ctx.db
    .select()
    .from(contents)
    .where(and(isPublished, eq(contents.kind, kind), ne(contents.id, id)))
    .orderBy(
      ...orderContents(
        sql`${liveField('category')} = ${draft.category} desc`,
        buildOrderBy(undefined, SORTS, DEFAULT_SORTS[kind] ?? 'position'),
      ),
    )
    .limit(MAX_RELATED)
  return toCards(ctx, rows.map(toPublishedContent))
}

export async function loadContentPage(ctx: ContentDeps, kind: ContentKind, slug: string): Promise<ContentPage> {
  const found = await findPublishedContent(ctx.db, kind, slug)
  if (!found) throw new AppError('not-found', { message: 'Cette page n’existe pas, ou n’est plus publiée.' })
  const [read] = await parseStoredTexts(ctx, [found.draft.body])
  if (!read) throw new AppError('internal')
  return { ...toCard(found, read), body: read.blocks, related: await listRelated(ctx, found) }
}

const CONTENT_KIND_LABELS: Record<ContentKind, string> = {
  article: 'Actualité',
  webinar: 'Webinaire',
  'white-paper': 'Livre blanc',
  'case-study': 'Étude de cas',
  faq: 'Question fréquente',
  guide: 'Guide',
  page: 'Page du site',
}

/** Kept by the database beside each of the two. */
const SEARCH_TEXTS = { draft: searchTextColumn(contents), live: sql<string>`${contents}.search_live` }

/** Of what readers see, or of what the desk is writing. */
function selectMatches(db: Db, look: SearchStrategy, of: 'live' | 'draft') {
  const part = (name: string) => sql<string>`coalesce(${contents[of]}->>${sql.raw(`'${name}'`)}, '')`
  const text = SEARCH_TEXTS[of]
  return db
    .select({
      id: contents.id,
      kind: sql<ContentKind>`${contents.kind}`,
      slug: contents.slug,
      title: part('title'),
      category: part('category'),
      text,
    })
    .from(contents)
    .where(and(of === 'live' ? isPublished : isSiteContent, look.holds(text)))
    .orderBy(look.rank(text), contents.id)
    .limit(look.most)
}

/** The desk opens its texts to be written; everybody else reads what is published. */
export const searchContents: SearchSource = async (db, actor, look) => {
  const writes = hasPermission(actor, 'content.read')
  const rows = await selectMatches(db, look, writes ? 'draft' : 'live')
  return rows.map(({ id, kind, slug, title, category, text }) => ({
    kind: 'article',
    id,
    title,
    detail: CONTENT_KIND_LABELS[kind],
    to: writes ? `/cms-admin?contenu=${id}` : getContentPath(kind, category, slug),
    text,
  }))
}

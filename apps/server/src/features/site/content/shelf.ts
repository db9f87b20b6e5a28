import type { ContentCard, ContentKind, ContentPage, content } from '@voisol/contract/content'
import { and, count, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { contents } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { ProseWithWordCount } from '../../../prose/remembered.ts'
import { computeReadingMinutes } from '../../../prose/words.ts'
import { buildImagePath } from './image-path.ts'
import { findPublishedContent, isPublished, type PublishedContent, toPublishedContent } from './published.ts'
import { type ContentDeps, parseStoredTexts } from './texts.ts'

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

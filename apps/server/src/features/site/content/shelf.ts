import type { ContentCard, ContentKind, ContentPage, content } from '@voisol/contract/content'
import { and, count, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { contents } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { Read } from '../../../prose/remembered.ts'
import { readingMinutes } from '../../../prose/words.ts'
import { imagePath } from './image-path.ts'
import { findPublished, isShown, type Published, toPublished } from './published.ts'
import { type Reader, readTexts } from './texts.ts'

type Query = z.output<typeof content.published.query>
const RELATED = 3

const live = (name: string) => sql`${contents.live}->>${sql.raw(`'${name}'`)}`
const position = sql`(${live('position')})::int`
const SORTS = {
  position,
  publishedAt: contents.publishedAt,
  title: sql`fold(${live('title')})`,
  startsAt: sql`(${live('startsAt')})::timestamptz`,
}
/** News are read newest first, webinars by date, everything else in the order the desk gave. */
const DEFAULTS: Partial<Record<ContentKind, string>> = { article: '-publishedAt', webinar: 'startsAt' }
const inOrder = (...first: SQL[]) => [...first, position, desc(contents.publishedAt), contents.id]

function toCard({ kind, slug, draft, publishedAt, changedAt }: Published, prose: Read): ContentCard {
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
    readingMinutes: readingMinutes(prose.words),
    image: imageId ? { src: imagePath(imageId), alt: imageAlt } : null,
    body: kind === 'faq' ? prose.blocks : null,
  }
}

async function toCards(ctx: Reader, found: Published[]): Promise<ContentCard[]> {
  const read = await readTexts(
    ctx,
    found.map(({ draft }) => draft.body),
  )
  return found.flatMap((one, at) => (read[at] ? [toCard(one, read[at])] : []))
}

export async function listPublished(ctx: Reader, kind: ContentKind, query: Query) {
  const { db } = ctx
  const { limit, offset } = pageOf(query)
  const where = and(
    isShown,
    eq(contents.kind, kind),
    query.category ? sql`${live('category')} = ${query.category}` : undefined,
    matches(query.q, [live('title'), live('summary'), live('body'), live('speaker')]),
  )
  const rows = await db
    .select()
    .from(contents)
    .where(where)
    .orderBy(...inOrder(orderBy(query.sort, SORTS, DEFAULTS[kind] ?? 'position')))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(contents).where(where)
  return { items: await toCards(ctx, rows.map(toPublished)), total: all?.n ?? 0 }
}

/** Others of the same kind, those of the same shelf first. */
async function relatedTo(ctx: Reader, { id, kind, draft }: Published): Promise<ContentCard[]> {
  const rows = await ctx.db
    .select()
    .from(contents)
    .where(and(isShown, eq(contents.kind, kind), ne(contents.id, id)))
    .orderBy(
      ...inOrder(
        sql`${live('category')} = ${draft.category} desc`,
        orderBy(undefined, SORTS, DEFAULTS[kind] ?? 'position'),
      ),
    )
    .limit(RELATED)
  return toCards(ctx, rows.map(toPublished))
}

export async function readContent(ctx: Reader, kind: ContentKind, slug: string): Promise<ContentPage> {
  const found = await findPublished(ctx.db, kind, slug)
  if (!found) throw new AppError('not-found', { message: 'Cette page n’existe pas, ou n’est plus publiée.' })
  const [read] = await readTexts(ctx, [found.draft.body])
  if (!read) throw new AppError('internal')
  return { ...toCard(found, read), body: read.blocks, related: await relatedTo(ctx, found) }
}

import type { content, SiteImage } from '@voisol/contract/content'
import { and, asc, count, eq, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { FileStore } from '../../../adapters/files/files.ts'
import { getFileKey, storeFile } from '../../../core/kept-files.ts'
import { sanitizeFileName } from '../../../core/media-type.ts'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { contents, files, siteImages } from '../../../db/schema/index.ts'
import { hashBytes } from '../../../hash.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { parseImageHeader } from './image-header.ts'
import { buildImagePath } from './image-path.ts'
import { isSiteContent } from './rows.ts'

type Row = typeof siteImages.$inferSelect
const isSiteImage = eq(siteImages.companyId, SITE_OWNER_ID)
/** The file of a picture; a slash stands in the name of no other kept file. */
const buildFileName = (sha256: string) => `site-images/${sha256}`

const toImage = ({ id, name, mediaType, size, width, height, createdAt }: Row): SiteImage => ({
  id,
  name,
  mediaType,
  size,
  width,
  height,
  src: buildImagePath(id),
  createdAt: createdAt.toISOString(),
})

const SORTS = { name: sql`fold(${siteImages.name})`, size: siteImages.size, createdAt: siteImages.createdAt }

export async function listImages(db: Db, query: z.output<typeof content.images.query>) {
  const { limit, offset } = toLimitOffset(query)
  const where = and(isSiteImage, matchesSearchWords(query.q, [siteImages.name]))
  const rows = await db
    .select()
    .from(siteImages)
    .where(where)
    .orderBy(buildOrderBy(query.sort, SORTS, '-createdAt'), asc(siteImages.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(siteImages).where(where)
  return { items: rows.map(toImage), total: all?.n ?? 0 }
}

async function findImage(db: Db, where: ReturnType<typeof eq>): Promise<Row | undefined> {
  const [row] = await db.select().from(siteImages).where(and(isSiteImage, where))
  return row
}

async function requireImageRow(db: Db, id: string): Promise<Row> {
  const row = await findImage(db, eq(siteImages.id, id))
  if (!row) throw new AppError('not-found')
  return row
}

/** The same picture sent twice is one picture. */
export async function addSiteImage(tx: Db, store: FileStore, given: string, content: Uint8Array): Promise<SiteImage> {
  const header = parseImageHeader(content)
  if (!header)
    throw fieldError('file', 'Image attendue au format PNG, JPEG, WebP, AVIF ou GIF. Un dessin SVG n’est pas accepté.')
  const { mediaType, extension, width, height } = header
  const sha256 = await hashBytes(content)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`site image ${sha256}`}, 0))`)
  const known = await findImage(tx, eq(siteImages.sha256, sha256))
  if (known) return toImage(known)
  const companyId = await loadSiteOwnerId(tx)
  await storeFile(tx, store, companyId, { name: buildFileName(sha256), mediaType, content })
  const name = sanitizeFileName(given.toWellFormed()) || `image.${extension}`
  const [row] = await tx
    .insert(siteImages)
    .values({ companyId, name, mediaType, size: content.byteLength, width, height, sha256 })
    .returning()
  if (!row) throw new AppError('internal')
  return toImage(row)
}

/** A picture of the site for everybody; its address names its content, which never changes. */
export async function loadImage(db: Db, store: FileStore, id: string) {
  const row = await requireImageRow(db, id)
  const content = await store.get(getFileKey(row))
  if (!content) throw new AppError('not-found')
  return { name: row.name, type: row.mediaType, shown: true as const, content }
}

const usesImage = (column: typeof contents.live | typeof contents.draft, id: string) =>
  sql`(${column}->>'imageId' = ${id} or strpos(${column}->>'body', ${buildImagePath(id)}) > 0)`

/** The titles of what shows a picture now, or will at its hour. */
async function listTitlesUsing(tx: Db, id: string): Promise<string[]> {
  const rows = await tx
    .select({ title: sql<string>`coalesce(${contents.live}, ${contents.draft})->>'title'` })
    .from(contents)
    .where(
      and(
        isSiteContent,
        or(
          and(eq(contents.status, 'published'), usesImage(contents.live, id)),
          and(eq(contents.status, 'scheduled'), usesImage(contents.draft, id)),
        ),
      ),
    )
    .limit(3)
  return rows.map(({ title }) => `«\u00a0${title}\u00a0»`)
}

export async function removeImage(tx: Db, id: string): Promise<SiteImage> {
  // Whoever is about to publish it is waited for.
  await tx
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(and(isSiteImage, eq(siteImages.id, id)))
    .for('update')
  const row = await requireImageRow(tx, id)
  const users = await listTitlesUsing(tx, id)
  if (users.length)
    throw new AppError('conflict', {
      message: `Cette image est employée par ${users.join(', ')}\u00a0: elle ne peut pas être retirée.`,
    })
  const { companyId, sha256 } = row
  await tx.delete(siteImages).where(and(isSiteImage, eq(siteImages.id, id)))
  await tx.delete(files).where(and(eq(files.companyId, SITE_OWNER_ID), eq(files.name, buildFileName(sha256))))
  await enqueue(tx, 'documents.erase', { companyId, sha256 })
  return toImage(row)
}

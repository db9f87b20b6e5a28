import type { content, SiteImage } from '@voisol/contract/content'
import { and, asc, count, eq, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import { getFileKey, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { contents, files, siteImages } from '../../../db/schema/index.ts'
import { hashBytes } from '../../../hash.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { isSiteContent } from './stored-content.ts'

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

export const buildImagePath = (id: string) => `/api/site-images/${id}`

type ImageHeader = { mediaType: string; extension: string; width: number; height: number }

const hasAscii = (bytes: Buffer, at: number, text: string) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text
const buildHeader = (mediaType: string, width: number, height: number): ImageHeader => ({
  mediaType,
  width,
  height,
  extension: mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice('image/'.length),
})

function parsePngHeader(bytes: Buffer) {
  if (!hasAscii(bytes, 0, '\x89PNG\r\n\x1a\n') || !hasAscii(bytes, 12, 'IHDR')) return undefined
  return buildHeader('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

function parseGifHeader(bytes: Buffer) {
  if (!hasAscii(bytes, 0, 'GIF87a') && !hasAscii(bytes, 0, 'GIF89a')) return undefined
  return buildHeader('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8))
}

/** Segments follow each other up to the one that begins a frame. */
function parseJpegHeader(bytes: Buffer) {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return buildHeader('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    if (marker === 0xff) at += 1
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

function parseWebpHeader(bytes: Buffer) {
  if (!hasAscii(bytes, 0, 'RIFF') || !hasAscii(bytes, 8, 'WEBP')) return undefined
  if (hasAscii(bytes, 12, 'VP8X'))
    return buildHeader('image/webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  if (hasAscii(bytes, 12, 'VP8 '))
    return buildHeader('image/webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  if (!hasAscii(bytes, 12, 'VP8L')) return undefined
  const packed = bytes.readUInt32LE(21)
  return buildHeader('image/webp', (packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1)
}

/** The size stands in a box named `ispe`; a picture made of several has one for each, the whole being the largest. */
function parseAvifHeader(bytes: Buffer) {
  if (!hasAscii(bytes, 4, 'ftyp')) return undefined
  const brands = bytes.subarray(8, Math.min(bytes.readUInt32BE(0), 200)).toString('latin1')
  if (!/avi[fs]/.test(brands)) return undefined
  const head = bytes.subarray(0, 100_000)
  let best: ImageHeader | undefined
  for (let at = head.indexOf('ispe'); at !== -1; at = head.indexOf('ispe', at + 4)) {
    if (at + 16 > head.length) break
    const found = buildHeader('image/avif', head.readUInt32BE(at + 8), head.readUInt32BE(at + 12))
    if (!best || found.width * found.height > best.width * best.height) best = found
  }
  return best
}

const HEADER_PARSERS = [parsePngHeader, parseGifHeader, parseJpegHeader, parseWebpHeader, parseAvifHeader]
const MAX_SIDE = 20_000

/** What a picture is, by its content rather than by its name; undefined of anything else, and of a drawing that can hold script. */
export function parseImageHeader(content: Uint8Array): ImageHeader | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (const read of HEADER_PARSERS) {
    const found = tryParse(read, bytes)
    if (found && found.width > 0 && found.height > 0 && found.width <= MAX_SIDE && found.height <= MAX_SIDE)
      return found
  }
  return undefined
}

/** A file cut short ends before what it announces. */
function tryParse(read: (bytes: Buffer) => ImageHeader | undefined, bytes: Buffer) {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

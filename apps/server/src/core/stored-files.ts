import { and, eq, sql } from 'drizzle-orm'
import { type Db, transaction } from '../db/client.ts'
import { isDatabaseRefusal } from '../db/database-errors.ts'
import { files } from '../db/schema/index.ts'
import { hashBytes } from '../hash.ts'
import { AppError } from '../http/errors.ts'
import type { FileStore } from '../integrations/files/files.ts'
import { enqueue } from '../jobs/queue.ts'

type StoreFileInput = { name: string; mediaType: string; content: Uint8Array }

export const getFileKey = ({ companyId, sha256 }: { companyId: number; sha256: string }) => `${companyId}/${sha256}`

/**
 * Storing and deleting the same content exclude each other, so that one cannot delete what the other has just found.
 */
export const lockFileContent = (tx: Db, key: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`file ${key}`}, 0))`)

/** Writes the content to the store before the row that names it, so that a row never points to nothing. */
export async function storeFile(
  tx: Db,
  store: FileStore,
  companyId: number,
  { name, mediaType, content }: StoreFileInput,
) {
  const sha256 = await hashBytes(content)
  const key = getFileKey({ companyId, sha256 })
  await lockFileContent(tx, key)
  await store.put(key, content, mediaType)
  const [file] = await tx
    .insert(files)
    .values({ companyId, name, mediaType, size: content.byteLength, sha256 })
    .returning()
  if (!file) throw new AppError('internal')
  return file
}

/** The same from a local file whose hash is known. */
export async function storeFileFromPath(
  tx: Db,
  store: FileStore,
  companyId: number,
  { path, ...about }: { name: string; mediaType: string; path: string; size: number; sha256: string },
) {
  const key = getFileKey({ companyId, sha256: about.sha256 })
  await lockFileContent(tx, key)
  await store.putFile(key, path, about.mediaType)
  const [file] = await tx
    .insert(files)
    .values({ companyId, ...about })
    .returning()
  if (!file) throw new AppError('internal')
  return file
}

/** Undefined where the file is still referenced; the error is confined to a savepoint. */
async function deleteFileIfUnreferenced(tx: Db, companyId: number, id: string) {
  await tx.execute(sql`savepoint one_file`)
  try {
    const [gone] = await tx
      .delete(files)
      .where(and(eq(files.companyId, companyId), eq(files.id, id)))
      .returning()
    await tx.execute(sql`release savepoint one_file`)
    return gone
  } catch (error) {
    if (!isDatabaseRefusal(error, 'named')) throw error
    await tx.execute(sql`rollback to savepoint one_file`)
  }
}

/** Deletes unreferenced files, with their content once that is committed; a file still referenced stays. */
export async function deleteUnreferencedFiles(tx: Db, companyId: number, ids: string[]): Promise<void> {
  for (const id of new Set(ids)) {
    const gone = await deleteFileIfUnreferenced(tx, companyId, id)
    if (gone) await enqueue(tx, 'documents.erase', { companyId, sha256: gone.sha256 })
  }
}

/** Deletes the content from the store once no row of the company names it. */
export const eraseUnreferencedContent = (db: Db, store: FileStore, companyId: number, sha256: string) =>
  transaction(db, async (tx) => {
    const key = getFileKey({ companyId, sha256 })
    await lockFileContent(tx, key)
    const [named] = await tx
      .select({ id: files.id })
      .from(files)
      .where(and(eq(files.companyId, companyId), eq(files.sha256, sha256)))
      .limit(1)
    if (!named) await store.remove(key)
  })

const MEDIA_TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html; charset=utf-8',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
}

/** By the file extension: the type that a browser sends is no more reliable. */
export function getMediaType(name: string): string {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined) ?? 'application/octet-stream'
}

/** The base name, without folders or characters that act on a terminal or a header. */
export const sanitizeFileName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/^\.+$/, '')
    .trim()

import { and, eq, sql } from 'drizzle-orm'
import type { FileStore } from '../adapters/files/files.ts'
import { type Db, transaction } from '../db/client.ts'
import { isDatabaseRefusal } from '../db/refusal.ts'
import { files } from '../db/schema/index.ts'
import { hashBytes } from '../hash.ts'
import { AppError } from '../http/errors.ts'
import { enqueue } from '../jobs/queue.ts'

type StoreFileInput = { name: string; mediaType: string; content: Uint8Array }

export const getFileKey = ({ companyId, sha256 }: { companyId: number; sha256: string }) => `${companyId}/${sha256}`

/** Keeping a content and erasing it wait for each other: one cannot take away what the other has just found there. */
export const lockFileContent = (tx: Db, key: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`file ${key}`}, 0))`)

/** Writes the content to the store before the record that names it: a record never points to nothing. */
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

/** The same from a file of the machine, whose hash is known. */
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

/** Undefined where something still names it, which the rest of the transaction does not feel. */
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

/** Files that nothing names any more go, and their content once that is committed; one that is still named stays for whom it is. */
export async function deleteUnreferencedFiles(tx: Db, companyId: number, ids: string[]): Promise<void> {
  for (const id of new Set(ids)) {
    const gone = await deleteFileIfUnreferenced(tx, companyId, id)
    if (gone) await enqueue(tx, 'documents.erase', { companyId, sha256: gone.sha256 })
  }
}

/** Takes the content out of the store once nothing of the company names it any more. */
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

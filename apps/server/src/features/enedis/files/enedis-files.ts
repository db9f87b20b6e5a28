import type { DistributorFile, distributorFiles as endpoints } from '@voisol/contract/distributor-files'
import type { ParsedInput } from '@voisol/contract/endpoint'
import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import { getFileKey, getMediaType, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { distributorFiles, files } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { hashBytes } from '../../../hash.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { enqueue } from '../../../jobs/queue.ts'

export type DistributorFileRow = typeof distributorFiles.$inferSelect

/** These text columns are written by this feature only, with the values of the contract. */
type FileStateColumns = Pick<DistributorFile, 'status' | 'source' | 'counts'>

export function toDistributorFile(row: DistributorFileRow): DistributorFile {
  const { status, source, counts } = row as FileStateColumns // see above
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    reason: row.reason,
    size: row.size,
    status,
    source,
    counts,
    receivedAt: row.receivedAt.toISOString(),
  }
}

const SORT_COLUMNS = {
  receivedAt: distributorFiles.receivedAt,
  name: distributorFiles.name,
  kind: distributorFiles.kind,
  status: distributorFiles.status,
  size: distributorFiles.size,
}

export async function listDistributorFiles(db: Db, actor: Actor, query: ParsedInput<typeof endpoints.list>['query']) {
  const where = and(
    distributorFileScope(actor),
    query.status && eq(distributorFiles.status, query.status),
    matchesSearchWords(query.q, [distributorFiles.name, distributorFiles.kind, distributorFiles.reason]),
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select()
    .from(distributorFiles)
    .where(where)
    .orderBy(buildOrderBy(query.sort, SORT_COLUMNS, '-receivedAt'), asc(distributorFiles.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(distributorFiles).where(where)
  return { items: rows.map(toDistributorFile), total: all?.n ?? 0 }
}

async function lockFile(tx: Db, actor: Actor, id: string): Promise<DistributorFileRow> {
  const [row] = await tx
    .select()
    .from(distributorFiles)
    .where(and(distributorFileScope(actor), eq(distributorFiles.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function loadDistributorFileContent(db: Db, store: FileStore, actor: Actor, id: string) {
  const [row] = await db
    .select()
    .from(distributorFiles)
    .where(and(distributorFileScope(actor), eq(distributorFiles.id, id)))
  if (!row) throw new AppError('not-found')
  const content = await store.stream(getFileKey(row))
  if (!content) throw new Error(`file store: ${getFileKey(row)} is recorded but not there`)
  return { name: row.name, content }
}

/** Decodes a file again, once its points exist, its key is right or its format is supported. */
export async function retryDistributorFile(tx: Db, actor: Actor, id: string): Promise<DistributorFile> {
  const row = await lockFile(tx, actor, id)
  if (row.status === 'decoded') throw new AppError('conflict', { message: 'Ce fichier est déjà lu et enregistré.' })
  const [again] = await tx
    .update(distributorFiles)
    .set({ status: 'waiting', reason: '' })
    .where(and(distributorFileScope(actor), eq(distributorFiles.id, id)))
    .returning()
  // Not a `once` job: the job that put it aside may still be ending. When two jobs decode the file, the second finds
  // nothing to do.
  await enqueue(tx, 'files.decode', { companyId: row.companyId, fileId: id, userId: actor.userId, keyId: actor.keyId })
  return toDistributorFile(again ?? row)
}

/** Deletes only files that were put aside; a stored file remains as evidence of its readings. */
export async function deleteDistributorFile(tx: Db, actor: Actor, id: string): Promise<DistributorFileRow> {
  const row = await lockFile(tx, actor, id)
  if (row.status !== 'quarantined')
    throw new AppError('conflict', {
      message:
        row.status === 'decoded'
          ? 'Ce fichier est enregistré\u00a0: il est gardé comme preuve de ses relevés.'
          : 'Ce fichier est en cours de lecture\u00a0: attendez son résultat.',
    })
  const { companyId, sha256 } = row
  await tx.delete(distributorFiles).where(and(distributorFileScope(actor), eq(distributorFiles.id, id)))
  await tx.delete(files).where(and(eq(files.companyId, companyId), eq(files.id, row.fileId)))
  await enqueue(tx, 'documents.erase', { companyId, sha256 })
  return row
}

type StoredFile = typeof files.$inferSelect

async function findFileByContent(db: Db, companyId: number, sha256: string): Promise<DistributorFileRow | undefined> {
  const [row] = await db
    .select()
    .from(distributorFiles)
    .where(and(eq(distributorFiles.companyId, companyId), eq(distributorFiles.sha256, sha256)))
  return row
}

/** Without a user when the file was found in the folder. */
type ReceivedFile = {
  companyId: number
  userId: string | null
  keyId?: string | undefined
  name: string
  sha256: string
  source: 'upload' | 'folder' | 'api'
}

/**
 * Identical content is one file, however it arrives: the first registration is returned. Concurrent uploads are
 * serialised.
 */
export async function registerFile(
  tx: Db,
  deposit: ReceivedFile,
  keep: () => Promise<StoredFile>,
): Promise<DistributorFileRow> {
  const { companyId, userId, keyId, name, sha256, source } = deposit
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`distributor content ${companyId} ${sha256}`}, 0))`,
  )
  const known = await findFileByContent(tx, companyId, sha256)
  if (known) return known
  const { id: fileId, size } = await keep()
  const [row] = await tx
    .insert(distributorFiles)
    .values({ companyId, fileId, name, sha256, status: 'waiting', size, source, receivedAt: new Date() })
    .returning()
  if (!row) throw new AppError('internal')
  await enqueue(tx, 'files.decode', { companyId, fileId: row.id, userId, keyId }, { once: row.id })
  return row
}

type FileUpload = { name: string; source: 'upload' | 'api'; content: Uint8Array }

export async function uploadDistributorFile(
  tx: Db,
  store: Deps['files'],
  { companyId, userId, keyId }: Pick<Actor, 'companyId' | 'userId' | 'keyId'>,
  { name: given, source, content }: FileUpload,
) {
  const name = sanitizeFileName(given)
  if (!name) throw fieldError('name', 'Le fichier doit porter un nom, par exemple R63.zip.')
  if (!content.byteLength) throw fieldError('file', `Le fichier «\u00a0${name}\u00a0» est vide.`)
  const sha256 = await hashBytes(content)
  const keep = () => storeFile(tx, store, companyId, { name, mediaType: getMediaType(name), content })
  return registerFile(tx, { companyId, userId, keyId, name, sha256, source }, keep)
}

const searchedText = searchTextColumn(distributorFiles)

export const searchDistributorFiles: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({ id: distributorFiles.id, name: distributorFiles.name, kind: distributorFiles.kind, text: searchedText })
    .from(distributorFiles)
    .where(and(distributorFileScope(actor), look.holds(searchedText)))
    .orderBy(look.rank(searchedText), desc(distributorFiles.receivedAt), distributorFiles.id)
    .limit(look.most)
  return rows.map(({ id, name, kind, text: words }) => ({
    kind: 'file',
    id,
    title: name,
    detail: ['Fichier du distributeur', kind].filter(Boolean).join(' · '),
    to: `/enedis-data?onglet=fichiers&q=${encodeURIComponent(name)}`,
    text: words,
  }))
}

/** For administrators only, because a file contains the points of all members. */
const distributorFileScope = ({ companyId }: Actor): SQL => eq(distributorFiles.companyId, companyId)

import type { DistributorFile, distributorFiles as endpoints } from '@voisol/contract/distributor-files'
import type { ParsedInput } from '@voisol/contract/endpoint'
import { and, asc, count, eq } from 'drizzle-orm'
import type { FileStore } from '../../../adapters/files/files.ts'
import { getFileKey } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { distributorFiles, files } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { distributorFileScope } from './scope.ts'

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

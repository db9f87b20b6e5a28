import type { DistributorFile, distributorFiles as endpoints } from '@voisol/contract/distributor-files'
import type { Parsed } from '@voisol/contract/endpoint'
import { and, asc, count, eq } from 'drizzle-orm'
import type { FileStore } from '../../../adapters/files/files.ts'
import { keyOf } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { distributorFiles, files } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { fileScope } from './scope.ts'

export type FileRow = typeof distributorFiles.$inferSelect

/** Open columns hold what this feature wrote, in the shape of the contract. */
type Written = Pick<DistributorFile, 'status' | 'source' | 'counts'>

export function toFile(row: FileRow): DistributorFile {
  const { status, source, counts } = row as Written // see above
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

const SORTS = {
  receivedAt: distributorFiles.receivedAt,
  name: distributorFiles.name,
  kind: distributorFiles.kind,
  status: distributorFiles.status,
  size: distributorFiles.size,
}

export async function listFiles(db: Db, actor: Actor, query: Parsed<typeof endpoints.list>['query']) {
  const where = and(
    fileScope(actor),
    query.status && eq(distributorFiles.status, query.status),
    matches(query.q, [distributorFiles.name, distributorFiles.kind, distributorFiles.reason]),
  )
  const { limit, offset } = pageOf(query)
  const rows = await db
    .select()
    .from(distributorFiles)
    .where(where)
    .orderBy(orderBy(query.sort, SORTS, '-receivedAt'), asc(distributorFiles.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(distributorFiles).where(where)
  return { items: rows.map(toFile), total: all?.n ?? 0 }
}

async function lockFile(tx: Db, actor: Actor, id: string): Promise<FileRow> {
  const [row] = await tx
    .select()
    .from(distributorFiles)
    .where(and(fileScope(actor), eq(distributorFiles.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function contentOf(db: Db, store: FileStore, actor: Actor, id: string) {
  const [row] = await db
    .select()
    .from(distributorFiles)
    .where(and(fileScope(actor), eq(distributorFiles.id, id)))
  if (!row) throw new AppError('not-found')
  const content = await store.stream(keyOf(row))
  if (!content) throw new Error(`file store: ${keyOf(row)} is recorded but not there`)
  return { name: row.name, content }
}

/** Reads a file again: once its points are known, its key is right, or the product reads what it did not. */
export async function retryFile(tx: Db, actor: Actor, id: string): Promise<DistributorFile> {
  const row = await lockFile(tx, actor, id)
  if (row.status === 'decoded') throw new AppError('conflict', { message: 'Ce fichier est déjà lu et enregistré.' })
  const [again] = await tx
    .update(distributorFiles)
    .set({ status: 'waiting', reason: '' })
    .where(and(fileScope(actor), eq(distributorFiles.id, id)))
    .returning()
  // Not `once`: the job that put it aside may still be ending. Of two that read it, the second finds nothing to do.
  await enqueue(tx, 'files.decode', { companyId: row.companyId, fileId: id, userId: actor.userId, keyId: actor.keyId })
  return toFile(again ?? row)
}

/** Only what was put aside: what was stored keeps its proof. */
export async function forgetFile(tx: Db, actor: Actor, id: string): Promise<FileRow> {
  const row = await lockFile(tx, actor, id)
  if (row.status !== 'quarantined')
    throw new AppError('conflict', {
      message:
        row.status === 'decoded'
          ? 'Ce fichier est enregistré\u00a0: il est gardé comme preuve de ses relevés.'
          : 'Ce fichier est en cours de lecture\u00a0: attendez son résultat.',
    })
  const { companyId, sha256 } = row
  await tx.delete(distributorFiles).where(and(fileScope(actor), eq(distributorFiles.id, id)))
  await tx.delete(files).where(and(eq(files.companyId, companyId), eq(files.id, row.fileId)))
  await enqueue(tx, 'documents.erase', { companyId, sha256 })
  return row
}

import { and, eq, sql } from 'drizzle-orm'
import { storeFile } from '../../../core/kept-files.ts'
import { getMediaType, sanitizeFileName } from '../../../core/media-type.ts'
import type { Db } from '../../../db/client.ts'
import { distributorFiles, type files } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { hashBytes } from '../../../hash.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { DistributorFileRow } from './files.ts'

type StoredFile = typeof files.$inferSelect

export async function findFileByContent(
  db: Db,
  companyId: number,
  sha256: string,
): Promise<DistributorFileRow | undefined> {
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

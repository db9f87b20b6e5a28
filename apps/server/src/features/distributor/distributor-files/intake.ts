import { and, eq, sql } from 'drizzle-orm'
import { keepFile } from '../../../core/kept-files.ts'
import { cleanName, mediaTypeOf } from '../../../core/media-type.ts'
import type { Db } from '../../../db/client.ts'
import { distributorFiles, type files } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { hashBytes } from '../../../hash.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { FileRow } from './files.ts'

type Kept = typeof files.$inferSelect

export async function findByContent(db: Db, companyId: number, sha256: string): Promise<FileRow | undefined> {
  const [row] = await db
    .select()
    .from(distributorFiles)
    .where(and(eq(distributorFiles.companyId, companyId), eq(distributorFiles.sha256, sha256)))
  return row
}

/** Of nobody where it lay in the folder. */
type Deposit = {
  companyId: number
  userId: string | null
  keyId?: string | undefined
  name: string
  sha256: string
  source: 'upload' | 'folder' | 'api'
}

/** The same content is the same file, whichever way it comes: the first one answers. Two at once follow each other. */
export async function takeIn(tx: Db, deposit: Deposit, keep: () => Promise<Kept>): Promise<FileRow> {
  const { companyId, userId, keyId, name, sha256, source } = deposit
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`distributor content ${companyId} ${sha256}`}, 0))`,
  )
  const known = await findByContent(tx, companyId, sha256)
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

type Upload = { name: string; source: 'upload' | 'api'; content: Uint8Array }

export async function uploadFile(
  tx: Db,
  store: Deps['files'],
  { companyId, userId, keyId }: Pick<Actor, 'companyId' | 'userId' | 'keyId'>,
  { name: given, source, content }: Upload,
) {
  const name = cleanName(given)
  if (!name) throw fieldError('name', 'Le fichier doit porter un nom, par exemple R63.zip.')
  if (!content.byteLength) throw fieldError('file', `Le fichier «\u00a0${name}\u00a0» est vide.`)
  const sha256 = await hashBytes(content)
  const keep = () => keepFile(tx, store, companyId, { name, mediaType: mediaTypeOf(name), content })
  return takeIn(tx, { companyId, userId, keyId, name, sha256, source }, keep)
}

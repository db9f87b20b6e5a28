import { and, eq, sql } from 'drizzle-orm'
import type { FileStore } from '../../../adapters/files/files.ts'
import { getFileKey, storeFile } from '../../../core/kept-files.ts'
import { getMediaType, sanitizeFileName } from '../../../core/media-type.ts'
import type { Db } from '../../../db/client.ts'
import { billingMandates, files } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'

type MandateFileRef = Pick<typeof billingMandates.$inferSelect, 'companyId' | 'id' | 'fileId'>

/** The first bytes of a signed document, by media type. */
const FILE_SIGNATURES: Record<string, string> = {
  'application/pdf': '25504446',
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
}

export function requireSignedFileType(name: string, content: Uint8Array): string {
  const mediaType = getMediaType(name)
  const signature = FILE_SIGNATURES[mediaType]
  if (!signature)
    throw fieldError('file', 'Un mandat signé est un PDF ou une image (PNG, JPEG), par exemple mandat-signe.pdf.')
  if (!Buffer.from(content.subarray(0, 4)).toString('hex').startsWith(signature))
    throw fieldError('file', `Le contenu de «\u00a0${name}\u00a0» n’est pas celui que son nom annonce.`)
  return mediaType
}

export async function saveMandateFile(
  tx: Db,
  store: FileStore,
  mandate: MandateFileRef,
  upload: { name: string; content: Uint8Array },
) {
  const name = sanitizeFileName(upload.name)
  const mediaType = requireSignedFileType(name, upload.content)
  const file = await storeFile(tx, store, mandate.companyId, { name, mediaType, content: upload.content })
  await tx
    .update(billingMandates)
    .set({ fileId: file.id, version: sql`${billingMandates.version} + 1` })
    .where(and(eq(billingMandates.companyId, mandate.companyId), eq(billingMandates.id, mandate.id)))
  await deleteMandateFile(tx, mandate)
  return file
}

/** Deletes a file that no mandate refers to any more. */
export async function deleteMandateFile(tx: Db, { companyId, fileId }: MandateFileRef) {
  if (fileId === null) return
  const [gone] = await tx
    .delete(files)
    .where(and(eq(files.companyId, companyId), eq(files.id, fileId)))
    .returning()
  if (gone) await enqueue(tx, 'documents.erase', { companyId, sha256: gone.sha256 })
}

export async function loadMandateFile(db: Db, store: FileStore, { companyId }: Actor, id: string) {
  const [row] = await db
    .select({ file: files })
    .from(billingMandates)
    .innerJoin(files, and(eq(files.companyId, billingMandates.companyId), eq(files.id, billingMandates.fileId)))
    .where(and(eq(billingMandates.companyId, companyId), eq(billingMandates.id, id)))
  if (!row) throw new AppError('not-found')
  const content = await store.get(getFileKey(row.file))
  if (!content) throw new Error(`file store: ${getFileKey(row.file)} is recorded but not there`)
  return { name: row.file.name, type: row.file.mediaType, content }
}

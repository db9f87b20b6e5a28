import { and, eq, sql } from 'drizzle-orm'
import type { FileStore } from '../../../adapters/files/files.ts'
import { getFileKey, storeFile } from '../../../core/kept-files.ts'
import { sanitizeFileName } from '../../../core/media-type.ts'
import type { Db } from '../../../db/client.ts'
import { files, mandates } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireSignedFileType } from '../parties/parties.ts'
import { mandateScope } from './scope.ts'
import { loadMandate, type MandateRow } from './view.ts'
import { lockMandate } from './write.ts'

/** Stores the scan of a mandate signed on paper; an earlier scan stays stored as evidence. */
export async function saveScannedMandate(
  tx: Db,
  store: FileStore,
  actor: Actor,
  id: string,
  upload: { name: string; content: Uint8Array },
) {
  const row: MandateRow = await lockMandate(tx, actor, id)
  if (row.method === 'screen')
    throw new AppError('conflict', {
      message: `Le mandat ${row.rum} a été signé à l’écran\u00a0: sa preuve est déjà enregistrée, un papier n’y ajoute rien.`,
    })
  const name = sanitizeFileName(upload.name)
  const mediaType = requireSignedFileType(name, upload.content)
  const file = await storeFile(tx, store, row.companyId, { name, mediaType, content: upload.content })
  await tx
    .update(mandates)
    .set({ fileId: file.id, version: sql`${mandates.version} + 1` })
    .where(and(eq(mandates.companyId, row.companyId), eq(mandates.id, id)))
  return { file, after: await loadMandate(tx, actor, id) }
}

export async function loadScannedMandate(db: Db, store: FileStore, actor: Actor, id: string) {
  const [row] = await db
    .select({ file: files })
    .from(mandates)
    .innerJoin(files, and(eq(files.companyId, mandates.companyId), eq(files.id, mandates.fileId)))
    .where(and(mandateScope(actor), eq(mandates.id, id)))
  if (!row) throw new AppError('not-found')
  const content = await store.get(getFileKey(row.file))
  if (!content) throw new Error(`file store: ${getFileKey(row.file)} is recorded but not there`)
  return { name: row.file.name, type: row.file.mediaType, content }
}

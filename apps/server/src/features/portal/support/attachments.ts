import { type Attachment, MAX_ATTACHMENTS } from '@voisol/contract/support'
import { and, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { getFileKey, getMediaType, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { files, ticketFiles, ticketMessages, tickets } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { enqueue } from '../../../jobs/queue.ts'

type Upload = { companyId: number; userId: string; name: string; content: Uint8Array }

/** What a desk never opens: programs, and pages that would run as if they came from here. */
const REFUSED_EXTENSIONS = /\.(?:exe|msi|bat|cmd|com|scr|js|mjs|vbs|ps1|jar|hta|html?|xhtml|svg|lnk|iso|dll)$/i
export const isRefusedFileName = (name: string) => REFUSED_EXTENSIONS.test(name)

export async function storeAttachment(tx: Db, store: FileStore, upload: Upload): Promise<Attachment> {
  const name = sanitizeFileName(upload.name).slice(0, 200)
  if (!name) throw fieldError('name', 'Le fichier doit porter un nom, par exemple facture.pdf.')
  if (isRefusedFileName(name))
    throw fieldError('name', 'Ce genre de fichier n’est pas accepté\u00a0: joignez une image, un PDF ou un document.')
  if (!upload.content.byteLength) throw fieldError('file', `Le fichier «\u00a0${name}\u00a0» est vide.`)
  const { companyId, userId, content } = upload
  const file = await storeFile(tx, store, companyId, { name, mediaType: getMediaType(name), content })
  const [row] = await tx.insert(ticketFiles).values({ companyId, fileId: file.id, addedBy: userId }).returning()
  if (!row) throw new AppError('internal')
  return { id: row.id, name, mediaType: file.mediaType, size: file.size }
}

/** Puts what its author added beside their message; what is somebody else's, or was sent already, is unknown. */
export async function attachFilesToMessage(
  tx: Db,
  { companyId, id }: { companyId: number; id: string },
  userId: string,
  ids: string[],
): Promise<void> {
  const fileIds = [...new Set(ids)].slice(0, MAX_ATTACHMENTS)
  if (!fileIds.length) return
  const taken = await tx
    .update(ticketFiles)
    .set({ messageId: id })
    .where(
      and(
        eq(ticketFiles.companyId, companyId),
        inArray(ticketFiles.id, fileIds),
        eq(ticketFiles.addedBy, userId),
        isNull(ticketFiles.messageId),
      ),
    )
    .returning({ id: ticketFiles.id })
  if (taken.length !== fileIds.length)
    throw fieldError('fileIds', 'Un fichier n’est plus là\u00a0: retirez-le et joignez-le à nouveau.')
}

/** A file of a ticket in reach, as a download; of a message that waits to be let in, for the desk alone. */
export async function loadAttachment(db: Db, store: FileStore, scope: SQL | undefined, id: string, held: boolean) {
  const [row] = await db
    .select({ file: files })
    .from(ticketFiles)
    .innerJoin(files, and(eq(files.companyId, ticketFiles.companyId), eq(files.id, ticketFiles.fileId)))
    .innerJoin(
      ticketMessages,
      and(eq(ticketMessages.companyId, ticketFiles.companyId), eq(ticketMessages.id, ticketFiles.messageId)),
    )
    .innerJoin(tickets, and(eq(tickets.companyId, ticketMessages.companyId), eq(tickets.id, ticketMessages.ticketId)))
    .where(and(scope, eq(ticketFiles.id, id), held ? undefined : isNull(ticketMessages.heldFrom)))
  if (!row) throw new AppError('not-found')
  const content = await store.get(getFileKey(row.file))
  if (!content) throw new Error(`file store: ${getFileKey(row.file)} is recorded but not there`)
  return { name: row.file.name, type: row.file.mediaType, content }
}

async function deleteTicketFiles(tx: Db, where: SQL | undefined) {
  const gone = await tx.delete(ticketFiles).where(where).returning()
  for (const { companyId, fileId } of gone) {
    const [file] = await tx
      .delete(files)
      .where(and(eq(files.companyId, companyId), eq(files.id, fileId)))
      .returning()
    if (file) await enqueue(tx, 'documents.erase', { companyId, sha256: file.sha256 })
  }
  return gone.length
}

export async function removeUnsentAttachment(
  tx: Db,
  { companyId, userId }: { companyId: number; userId: string },
  id: string,
) {
  const mine = and(eq(ticketFiles.companyId, companyId), eq(ticketFiles.id, id), eq(ticketFiles.addedBy, userId))
  if (!(await deleteTicketFiles(tx, and(mine, isNull(ticketFiles.messageId))))) throw new AppError('not-found')
}

/** What was added and never sent. */
export const deleteUnsentAttachments = (tx: Db) =>
  deleteTicketFiles(tx, and(isNull(ticketFiles.messageId), lt(ticketFiles.createdAt, sql`now() - interval '2 days'`)))

/** With the message that somebody decided not to let in. */
export const deleteMessageFiles = (tx: Db, companyId: number, messageId: string) =>
  deleteTicketFiles(tx, and(eq(ticketFiles.companyId, companyId), eq(ticketFiles.messageId, messageId)))

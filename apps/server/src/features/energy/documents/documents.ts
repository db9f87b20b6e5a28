import type { Document, DocumentOwner } from '@voisol/contract/documents'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { FileStore } from '../../../adapters/files/files.ts'
import { getFileKey, storeFile } from '../../../core/kept-files.ts'
import { getMediaType, sanitizeFileName } from '../../../core/media-type.ts'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { documents, files, projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { documentScope } from './scope.ts'

export { searchDocuments } from './search.ts'

type DocumentOwnerRef = { ownerKind: z.infer<typeof DocumentOwner>; ownerId: string }
type DocumentUpload = DocumentOwnerRef & { name: string; label: string; content: Uint8Array }

/** Access to a document follows the operation or project it belongs to. Returns that owner's name. */
async function requireDocumentOwner(db: Db, actor: Actor, { ownerKind, ownerId }: DocumentOwnerRef): Promise<string> {
  if (ownerKind === 'operation') return (await requireVisibleOperation(db, actor, ownerId)).name
  if (actor.operationIds) throw new AppError('not-found')
  const [project] = await db
    .select({ name: projects.name })
    .from(projects)
    .where(and(eq(projects.companyId, actor.companyId), eq(projects.id, ownerId)))
  if (!project) throw new AppError('not-found')
  return project.name
}

const selectDocuments = (db: Db) =>
  db
    .select({ document: documents, file: files })
    .from(documents)
    .innerJoin(files, and(eq(files.companyId, documents.companyId), eq(files.id, documents.fileId)))

type DocumentRow = Awaited<ReturnType<typeof selectDocuments>>[number]

const toDocumentView = ({ document, file }: DocumentRow): Document => ({
  id: document.id,
  label: document.label,
  name: file.name,
  mediaType: file.mediaType,
  size: file.size,
  addedBy: document.addedBy,
  createdAt: document.createdAt.toISOString(),
})

export async function listDocuments(db: Db, actor: Actor, owner: DocumentOwnerRef): Promise<Document[]> {
  await requireDocumentOwner(db, actor, owner)
  const ofOwner = and(eq(documents.ownerKind, owner.ownerKind), eq(documents.ownerId, owner.ownerId))
  const rows = await selectDocuments(db)
    .where(and(documentScope(actor), ofOwner))
    .orderBy(desc(documents.createdAt), documents.id)
  return rows.map(toDocumentView)
}

async function requireDocumentRow(db: Db, actor: Actor, id: string): Promise<DocumentRow> {
  const [row] = await selectDocuments(db).where(and(documentScope(actor), eq(documents.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export async function addDocument(tx: Db, store: FileStore, actor: Actor, { content, ...upload }: DocumentUpload) {
  const ownerName = await requireDocumentOwner(tx, actor, upload)
  const name = sanitizeFileName(upload.name)
  if (!name) throw fieldError('name', 'Le fichier doit porter un nom, par exemple convention.pdf.')
  if (!content.byteLength) throw fieldError('file', `Le fichier «\u00a0${name}\u00a0» est vide.`)
  const { ownerKind, ownerId } = upload
  const file = await storeFile(tx, store, actor.companyId, { name, mediaType: getMediaType(name), content })
  const addedBy = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  const [document] = await tx
    .insert(documents)
    .values({ companyId: actor.companyId, ownerKind, ownerId, fileId: file.id, label: upload.label || name, addedBy })
    .returning()
  if (!document) throw new AppError('internal')
  return { ownerName, document: toDocumentView({ document, file }) }
}

export async function loadDocumentContent(db: Db, store: FileStore, actor: Actor, id: string) {
  const { file } = await requireDocumentRow(db, actor, id)
  const content = await store.get(getFileKey(file))
  if (!content) throw new Error(`file store: ${getFileKey(file)} is recorded but not there`)
  return { name: file.name, type: file.mediaType, content }
}

export async function removeDocument(tx: Db, actor: Actor, id: string): Promise<DocumentRow> {
  const row = await requireDocumentRow(tx, actor, id)
  const { companyId, sha256 } = row.file
  await tx.delete(documents).where(and(documentScope(actor), eq(documents.id, id)))
  await tx.delete(files).where(and(eq(files.companyId, companyId), eq(files.id, row.file.id)))
  await enqueue(tx, 'documents.erase', { companyId, sha256 })
  return row
}

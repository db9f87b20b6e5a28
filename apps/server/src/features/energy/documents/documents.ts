import type { Document, DocumentOwner } from '@voisol/contract/documents'
import { hasPermission } from '@voisol/contract/permissions'
import { and, desc, eq, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation, withinOperationLimit } from '../../../core/access-scopes.ts'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import { getFileKey, getMediaType, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { documents, files, operations, projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { enqueue } from '../../../jobs/queue.ts'

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

/** The document's own text, then its file name. */
const searchText = sql<string>`${searchTextColumn(documents)} || ' ' || search_key(${files.name})`
const OWNER_PATHS = { operation: '/acc-operations', project: '/projects' }

/** A document is only found by those who may open the page of its operation or project. */
const isReadableOwnerKind = (actor: Actor) =>
  or(
    hasPermission(actor, 'operations.read') ? eq(documents.ownerKind, 'operation') : undefined,
    hasPermission(actor, 'projects.read') ? eq(documents.ownerKind, 'project') : undefined,
  ) ?? sql`false`

const joinOwner = (of: typeof operations | typeof projects, kind: keyof typeof OWNER_PATHS) =>
  and(eq(of.companyId, documents.companyId), eq(of.id, documents.ownerId), eq(documents.ownerKind, kind))

export const searchDocuments: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({
      id: documents.id,
      label: documents.label,
      kind: sql<keyof typeof OWNER_PATHS>`${documents.ownerKind}`,
      ownerId: documents.ownerId,
      owner: sql<string>`coalesce(${operations.name}, ${projects.name}, '')`,
      text: searchText,
    })
    .from(documents)
    .innerJoin(files, and(eq(files.companyId, documents.companyId), eq(files.id, documents.fileId)))
    .leftJoin(operations, joinOwner(operations, 'operation'))
    .leftJoin(projects, joinOwner(projects, 'project'))
    .where(and(documentScope(actor), isReadableOwnerKind(actor), look.holds(searchText)))
    .orderBy(look.rank(searchText), documents.label, documents.id)
    .limit(look.most)
  return rows.map(({ id, label, kind, ownerId, owner, text: words }) => ({
    kind: 'file',
    id,
    title: label,
    detail: owner,
    to: `${OWNER_PATHS[kind]}/${ownerId}?onglet=documents`,
    text: words,
  }))
}

/** With a limit, only documents of one's operations: a project belongs to the whole company. */
const documentScope = (actor: Actor) =>
  and(
    eq(documents.companyId, actor.companyId),
    actor.operationIds
      ? and(eq(documents.ownerKind, 'operation'), withinOperationLimit(actor, documents.ownerId))
      : undefined,
  )

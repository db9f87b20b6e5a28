import { documents } from '@voisol/contract/documents'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { addDocument, contentOf, listDocuments, removeDocument } from './documents.ts'

/** The journal of an operation is read from the entries that name it. */
const about = (ownerKind: string, ownerId: string) =>
  ownerKind === 'operation' ? { operationId: ownerId } : { projectId: ownerId }

export function documentRoutes(app: FastifyInstance) {
  route(app, documents.list, async ({ query }, { db, actor }) => ({ items: await listDocuments(db, actor, query) }))

  route(app, documents.add, async ({ query, upload }, { db, files, actor, note }) => {
    const { ownerName, document } = await addDocument(db, files, actor, { ...query, content: upload })
    const { name, label, size } = document
    note({ target: ownerName, detail: { ...about(query.ownerKind, query.ownerId), after: { name, label, size } } })
    return document
  })

  route(app, documents.content, ({ params }, { db, files, actor }) => contentOf(db, files, actor, params.id))

  route(app, documents.remove, async ({ params }, { db, actor, note }) => {
    const { document, file } = await removeDocument(db, actor, params.id)
    const before = { name: file.name, label: document.label, size: file.size }
    note({ target: file.name, detail: { ...about(document.ownerKind, document.ownerId), before } })
    return { success: true as const }
  })
}

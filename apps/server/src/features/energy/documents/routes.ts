import { documents } from '@voisol/contract/documents'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { addDocument, listDocuments, loadDocumentContent, removeDocument } from './documents.ts'

/** The journal of an operation is read from the audit entries with its id. */
const toOwnerDetail = (ownerKind: string, ownerId: string) =>
  ownerKind === 'operation' ? { operationId: ownerId } : { projectId: ownerId }

export function documentRoutes(app: FastifyInstance) {
  addRoute(app, documents.list, async ({ query }, { db, actor }) => ({ items: await listDocuments(db, actor, query) }))

  addRoute(app, documents.add, async ({ query, upload }, { db, files, actor, note }) => {
    const { ownerName, document } = await addDocument(db, files, actor, { ...query, content: upload })
    const { name, label, size } = document
    note({
      target: ownerName,
      detail: { ...toOwnerDetail(query.ownerKind, query.ownerId), after: { name, label, size } },
    })
    return document
  })

  addRoute(app, documents.content, ({ params }, { db, files, actor }) =>
    loadDocumentContent(db, files, actor, params.id),
  )

  addRoute(app, documents.remove, async ({ params }, { db, actor, note }) => {
    const { document, file } = await removeDocument(db, actor, params.id)
    const before = { name: file.name, label: document.label, size: file.size }
    note({ target: file.name, detail: { ...toOwnerDetail(document.ownerKind, document.ownerId), before } })
    return { success: true as const }
  })
}

import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Id, Instant, SuccessReply, Text } from './primitives.ts'

export const DocumentOwner = z.enum(['project', 'operation'])
export const Document = z.object({
  id: Id,
  label: z.string(),
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
  addedBy: z.string(),
  createdAt: Instant,
})
export type Document = z.infer<typeof Document>

const owner = { ownerKind: DocumentOwner, ownerId: Id }

export const documents = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/documents',
    access: { permission: 'documents.read' },
    summary: 'Lister les documents',
    query: z.object(owner),
    response: z.object({ items: z.array(Document) }),
  }),
  add: defineEndpoint({
    method: 'POST',
    path: '/api/documents',
    access: { permission: 'documents.write' },
    summary: 'Déposer un document',
    query: z.object({ ...owner, name: Text, label: z.string().trim().max(200).default('') }),
    upload: 20_000_000,
    response: Document,
  }),
  content: defineEndpoint({
    method: 'GET',
    path: '/api/documents/:id/content',
    access: { permission: 'documents.read' },
    summary: 'Télécharger un document',
    params: z.object({ id: Id }),
    response: { file: 'application/octet-stream' },
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/documents/:id',
    access: { permission: 'documents.write' },
    summary: 'Retirer un document',
    params: z.object({ id: Id }),
    response: SuccessReply,
  }),
}

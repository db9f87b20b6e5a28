import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ListQuery, page } from './list.ts'
import { Id, Instant } from './primitives.ts'

export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  actor: z.string(),
  action: z.string(),
  label: z.string(),
  target: z.string(),
  outcome: z.enum(['done', 'refused']),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** With an operation, only what was done to it or to what belongs to it. */
export const AuditQuery = ListQuery.extend({ operationId: Id.optional() })

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit',
    access: { permission: 'audit.read' },
    summary: 'Lire le journal d’audit',
    query: AuditQuery,
    response: page(AuditEntry),
  }),
}

import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Day, Id, Instant, ListQuery, SuccessReply } from './primitives.ts'

const AuditOutcome = z.enum(['done', 'refused'])

export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  actor: z.string(),
  /** The person, or the creator of the API key; null for a visitor or a job. */
  userId: Id.nullable(),
  action: z.string(),
  label: z.string(),
  target: z.string(),
  outcome: AuditOutcome,
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Names as of today, added to the ids when the journal is read. */
const nameFields = {
  /** The name of the actor; a job has its French name. */
  actorName: z.string(),
  /** The name and table of the object whose id is in `target`; null when it no longer exists. */
  object: z.object({ kind: z.string(), id: Id, name: z.string() }).nullable(),
}
export const ListedEntry = AuditEntry.extend(nameFields)
export type ListedEntry = z.infer<typeof ListedEntry>

/** With all that is recorded: before and after, origin, and its link in the hash chain. */
export const AuditDetail = AuditEntry.extend({
  detail: z.record(z.string(), z.unknown()),
  keyId: Id.nullable(),
  ip: z.string(),
  requestId: z.string(),
  hash: z.string(),
})
export type AuditDetail = z.infer<typeof AuditDetail>

const filters = {
  /** With an operation, only actions on it or on what belongs to it. */
  operationId: Id.optional(),
  userId: Id.optional(),
  keyId: Id.optional(),
  /** The object, in the format of the journal. */
  target: z.string().trim().max(500).optional(),
  /** The action, in the format of the contract: `POST /api/users`. */
  action: z.string().trim().max(200).optional(),
  outcome: AuditOutcome.optional(),
  from: Day.optional(),
  /** The last day included. */
  until: Day.optional(),
}
/** `before` is the id of the last entry already read, so that the next page needs no counting of the earlier ones. */
export const AuditQuery = ListQuery.extend({
  ...filters,
  before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
})
export const AuditFormat = z.enum(['csv', 'jsonl', 'syslog'])
export const AuditExport = z.object({
  ...filters,
  q: ListQuery.shape.q,
  format: AuditFormat.default('csv'),
})

export const AuditFault = z.enum(['changed', 'removed', 'reordered', 'cut', 'rewritten'])
/** The result of checking the hash chain: intact, or the first broken link. */
export const AuditCheck = z.object({
  state: z.enum(['never', 'running', 'whole', 'broken']),
  askedAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
  links: z.int(),
  broken: z
    .object({ seq: z.int(), fault: AuditFault, explanation: z.string(), sheet: z.string().nullable() })
    .nullable(),
})
export type AuditCheck = z.infer<typeof AuditCheck>

export const audit = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/audit',
    access: { permission: 'audit.read' },
    summary: 'Lire le journal d’audit',
    query: AuditQuery,
    /** `total` stops counting at ten thousand and one; `next` is null at the end. */
    response: buildPageSchema(ListedEntry).extend({ next: z.string().nullable() }),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/audit/export',
    access: { permission: 'audit.read' },
    summary: 'Exporter le journal d’audit',
    query: AuditExport,
    response: { file: 'text/csv' },
  }),
  verification: defineEndpoint({
    method: 'GET',
    path: '/api/audit/verification',
    access: { permission: 'audit.read' },
    summary: 'Lire la vérification du journal d’audit',
    response: AuditCheck,
  }),
  verify: defineEndpoint({
    method: 'POST',
    path: '/api/audit/verification',
    access: { permission: 'audit.read' },
    summary: 'Vérifier le journal d’audit',
    audit: 'none',
    response: SuccessReply,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/audit/:id',
    access: { permission: 'audit.read' },
    summary: 'Lire une ligne du journal d’audit',
    params: z.object({ id: z.string().regex(/^[1-9]\d{0,14}$/) }),
    response: AuditDetail.extend(nameFields),
  }),
}

import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Instant, SuccessReply } from './primitives.ts'

export const CHANGE_KINDS = ['invoices', 'answers', 'readings', 'corrected', 'key', 'joined', 'left'] as const

/** Something new since the last visit: how many, and where it has one the last day it is about. */
export const VisitChange = z.object({ kind: z.enum(CHANGE_KINDS), count: z.int().min(1), day: Day.nullable() })
export type VisitChange = z.infer<typeof VisitChange>

export const visits = {
  changes: defineEndpoint({
    method: 'GET',
    path: '/api/portal/changes',
    access: { portal: true },
    block: 'news',
    summary: 'Lire ce qui a changé depuis sa dernière visite',
    response: z.object({
      /** When the visit before this one began; null for a first one. */
      since: Instant.nullable(),
      /** Whether a visit begins, which is then told by the other call. */
      fresh: z.boolean(),
      items: z.array(VisitChange),
    }),
  }),
  begin: defineEndpoint({
    method: 'POST',
    path: '/api/portal/visits',
    access: { portal: true },
    lapsed: true,
    summary: 'Ouvrir son espace',
    response: SuccessReply,
  }),
}

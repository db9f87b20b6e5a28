import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Cents, InvoiceKind } from './money.ts'
import { buildPageSchema, Day, Id, Instant, ListQuery } from './primitives.ts'

/** What changed since the month was billed. */
export const CorrectionCause = z.enum(['energy', 'quantities', 'members', 'prices', 'cancelled', 'held'])
export type CorrectionCause = z.infer<typeof CorrectionCause>
export const CORRECTION_CAUSE_LABELS: Record<CorrectionCause, string> = {
  energy: 'La répartition a été refaite',
  quantities: 'Enedis a publié d’autres quantités',
  members: 'Des participations ont changé',
  prices: 'Le tarif, les frais ou les remises ont changé',
  cancelled: 'Une facture a été annulée, et ce qui reste dû est facturé de nouveau',
  held: 'Des centimes étaient retenus',
}

const DocumentAmounts = z.object({ net: Cents, tax: Cents, gross: Cents })
export const CorrectionSummary = z.object({
  /** Total change of what buyers owe, without withheld cents. */
  delta: DocumentAmounts,
  creditNotes: z.int(),
  complements: z.int(),
  /** Number of 0 € statements that are reissued. */
  reissued: z.int(),
  held: z.object({ buyers: z.int(), gross: Cents }),
  barred: z.object({ buyers: z.int(), gross: Cents }),
  wh: z.int(),
})
export type CorrectionSummary = z.infer<typeof CorrectionSummary>

const CorrectionState = z.enum(['open', 'settled', 'left'])
export const Review = z.object({
  id: Id,
  monthId: Id,
  operationId: Id,
  operation: z.string(),
  month: Day,
  state: CorrectionState,
  causes: z.array(CorrectionCause),
  summary: CorrectionSummary,
  raisedAt: Instant,
  decidedAt: Instant.nullable(),
  decidedBy: z.string(),
  reason: z.string(),
})
export type Review = z.infer<typeof Review>

export const ProposedChange = z.object({
  month: Day,
  sellerId: Id,
  seller: z.string(),
  buyerId: Id,
  buyer: z.string(),
  /**
   * The outcome: a credit note, a complementary invoice, withheld cents, too old to be claimed, or a reissued
   * statement.
   */
  becomes: z.enum(['creditNote', 'complement', 'held', 'barred', 'reissued']),
  whBefore: z.int(),
  whAfter: z.int(),
  delta: DocumentAmounts,
})
export type ProposedChange = z.infer<typeof ProposedChange>

/** Cents of a month not on any document yet: below the threshold, or too old to be claimed from a private person. */
export const WithheldAmount = z.object({
  kind: z.enum(['held', 'barred']),
  operationId: Id,
  month: Day,
  sellerId: Id,
  seller: z.string(),
  buyerId: Id,
  buyer: z.string(),
  /** Signed, from the side of the buyer's debt. */
  gross: Cents,
  wh: z.int(),
})
export type WithheldAmount = z.infer<typeof WithheldAmount>

const params = z.object({ id: Id })
const Proposal = Review.extend({
  changes: z.array(ProposedChange),
  /** Fingerprint of what is shown: the correction is issued exactly so, or not at all. */
  seal: z.string(),
  /** The documents issued once it is decided: credit notes, complementary invoices and statements, by number. */
  documents: z.array(z.object({ id: Id, number: z.string(), kind: InvoiceKind, buyer: z.string(), gross: Cents })),
})
const Reason = z.string().trim().min(10, 'Dites pourquoi en quelques mots (10 caractères au moins).').max(500)

export const corrections = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/corrections',
    access: { permission: 'billing.read' },
    summary: 'Lister les régularisations',
    query: ListQuery.extend({ operationId: Id.optional(), state: CorrectionState.optional() }),
    response: buildPageSchema(Review),
  }),
  held: defineEndpoint({
    method: 'GET',
    path: '/api/corrections/held',
    access: { permission: 'billing.read' },
    summary: 'Lister les centimes retenus',
    query: z.object({ operationId: Id.optional(), buyerId: Id.optional() }),
    response: z.object({
      items: z.array(WithheldAmount),
      /** What happens to them, in French; empty where there are none. */
      sentence: z.string(),
    }),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/corrections/:id',
    access: { permission: 'billing.read' },
    summary: 'Ouvrir une régularisation\u00a0: ce qui change, par acheteur',
    params,
    response: Proposal,
  }),
  issue: defineEndpoint({
    method: 'POST',
    path: '/api/corrections/:id/issue',
    access: { permission: 'billing.close' },
    summary: 'Émettre les documents d’une régularisation',
    params,
    body: z.strictObject({ seal: z.string().max(100) }),
    response: Review.extend({ issued: z.int() }),
  }),
  leave: defineEndpoint({
    method: 'POST',
    path: '/api/corrections/:id/leave',
    access: { permission: 'billing.close' },
    summary: 'Laisser une régularisation sans suite',
    params,
    body: z.strictObject({ reason: Reason }),
    response: Review,
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/api/corrections/cancellations',
    access: { permission: 'billing.close' },
    summary: 'Annuler une facture par un avoir qui la reprend tout entière',
    body: z.strictObject({ invoiceId: Id, reason: Reason }),
    response: z.object({ id: Id }),
  }),
}

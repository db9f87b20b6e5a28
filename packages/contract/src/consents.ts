import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Id, Instant, Text } from './primitives.ts'

/** `collection`: 15-minute readings, needed to share and to bill. Each of the others is optional. */
export const ConsentPurpose = z.enum(['collection', 'analysis', 'comparison', 'advice'])

export const Consent = z.object({
  id: Id,
  participantId: Id,
  purpose: ConsentPurpose,
  textVersion: z.string(),
  /** `joining`: given and signed on the page for joining an operation. */
  method: z.enum(['portal', 'paper', 'import', 'joining']),
  givenAt: Instant,
  expiresOn: Day,
  withdrawnAt: Instant.nullable(),
  state: z.enum(['valid', 'expiring', 'expired', 'withdrawn']),
  recordedBy: z.string(),
})
export type Consent = z.infer<typeof Consent>

/** Given for three years at most. */
export const ConsentDraft = z.strictObject({
  purpose: ConsentPurpose,
  textVersion: Text,
  method: z.enum(['portal', 'paper', 'import']),
  givenOn: Day,
  expiresOn: Day,
})

const list = z.object({ items: z.array(Consent) })

export const consents = {
  /** A client lists their own; an administrator names the participant. */
  list: defineEndpoint({
    method: 'GET',
    path: '/api/consents',
    access: { permission: 'consents.read', portal: true },
    summary: 'Lister les consentements',
    query: z.object({ participantId: Id.optional() }),
    response: list.extend({
      /** The participants concerned, so that a consent can be given for each. */
      participants: z.array(z.object({ id: Id, name: z.string() })),
      texts: z.array(z.object({ purpose: ConsentPurpose, version: z.string(), title: z.string(), text: z.string() })),
    }),
  }),
  give: defineEndpoint({
    method: 'POST',
    path: '/api/participants/:id/consents',
    access: { permission: 'consents.write', portal: true },
    summary: 'Recueillir un consentement',
    params: z.object({ id: Id }),
    body: ConsentDraft,
    response: Consent,
  }),
  withdraw: defineEndpoint({
    method: 'POST',
    path: '/api/consents/:id/withdraw',
    access: { permission: 'consents.write', portal: true },
    lapsed: true,
    summary: 'Retirer un consentement',
    params: z.object({ id: Id }),
    response: Consent,
  }),
}

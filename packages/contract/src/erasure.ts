import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Id, Version } from './primitives.ts'

/** The consequences of erasing a participant, shown before anything is done. */
export const ErasureFacts = z.object({
  name: z.string(),
  /** Operations it still takes part in: it must leave them first. */
  running: z.array(z.string()),
  /** Cents still to be paid by either side: to be settled first. */
  open: z.int(),
  /** The first day on which nothing can happen any more that requires the identity; null while it takes part. */
  possibleOn: Day.nullable(),
  /** What is deleted. */
  tickets: z.int(),
  notifications: z.int(),
  documents: z.int(),
  account: z.boolean(),
  /** What the law requires to keep, and until when: issued documents. */
  invoices: z.int(),
  invoicesUntil: Day.nullable(),
  askedOn: Day.nullable(),
  erasedOn: Day.nullable(),
  version: z.int(),
})
export type ErasureFacts = z.infer<typeof ErasureFacts>

const params = z.object({ id: Id })
const basePath = '/api/participants/:id/erasure'

export const erasure = {
  look: defineEndpoint({
    method: 'GET',
    path: basePath,
    access: { permission: 'participants.write' },
    summary: 'Voir ce qu’effacer un participant entraînerait',
    params,
    response: ErasureFacts,
  }),
  /** Done at once if nothing prevents it; otherwise scheduled for the first possible day. */
  ask: defineEndpoint({
    method: 'POST',
    path: basePath,
    access: { permission: 'participants.write' },
    summary: 'Effacer un participant',
    params,
    body: z.strictObject({ version: Version }),
    response: ErasureFacts,
  }),
}

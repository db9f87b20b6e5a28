import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Id, Version } from './primitives.ts'

/** What erasing a participant would meet: said before anything is done. */
export const ErasureFacts = z.object({
  name: z.string(),
  /** Operations that it still takes part in: leaving them comes first. */
  running: z.array(z.string()),
  /** Cents that remain to be paid, by either: settled first. */
  open: z.int(),
  /** The first day on which nothing can come back that needs to know who it was; null while it takes part. */
  possibleOn: Day.nullable(),
  /** What goes. */
  tickets: z.int(),
  notifications: z.int(),
  documents: z.int(),
  account: z.boolean(),
  /** What the law keeps, and until when: documents issued to it. */
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
  /** At once where nothing stands in its way; otherwise it is noted, and done on the first possible day. */
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

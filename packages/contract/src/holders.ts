import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Email, Id, Instant, OptionalText, SuccessReply, Text } from './primitives.ts'

/** Somebody of the same home, who reads the same portal with an account of their own. */
export const Holder = z.object({
  userId: Id,
  name: z.string(),
  email: z.string(),
  status: z.enum(['invited', 'active', 'disabled']),
  lastSignInAt: Instant.nullable(),
  addedAt: Instant,
})
export type Holder = z.infer<typeof Holder>

export const HolderDraft = z.strictObject({ email: Email, firstName: OptionalText, lastName: Text })
/** Beside the first one: a home, not a building. */
export const MAX_HOLDERS = 5

const params = z.object({ id: Id })
const basePath = '/api/participants/:id/holders'
const holderList = z.object({ items: z.array(Holder) })

export const holders = {
  list: defineEndpoint({
    method: 'GET',
    path: basePath,
    access: { permission: 'participants.read' },
    summary: 'Lister les cotitulaires d’un participant',
    params,
    response: holderList,
  }),
  /** Asked again for somebody who has not answered, it sends the invitation again. */
  add: defineEndpoint({
    method: 'POST',
    path: basePath,
    access: { permission: 'participants.write' },
    summary: 'Inviter un cotitulaire au portail',
    params,
    body: HolderDraft,
    response: holderList,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: `${basePath}/:userId`,
    access: { permission: 'participants.write' },
    summary: 'Retirer l’accès d’un cotitulaire',
    params: params.extend({ userId: Id }),
    response: SuccessReply,
  }),
}

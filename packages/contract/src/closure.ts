import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { SuccessReply } from './primitives.ts'

/** Facts to show before closing one's account. */
export const AccountClosureFacts = z.object({
  /** Operations with an active participation: leaving them is requested from the organiser. */
  running: z.array(z.string()),
  /** Cents that remain to be paid. */
  open: z.int(),
  /** Revocable consents that would be withdrawn. */
  agreements: z.int(),
  /** Whether the same account also belongs to another organisation, where it stays. */
  elsewhere: z.boolean(),
})
export type AccountClosureFacts = z.infer<typeof AccountClosureFacts>

export const AccountClosureRequest = z.strictObject({
  password: z.string().min(1, 'Saisissez votre mot de passe.').max(1024),
  /** Also erase what the organiser knows of the person, as soon as possible. */
  erase: z.boolean().default(false),
})

export const closure = {
  look: defineEndpoint({
    method: 'GET',
    path: '/api/portal/closure',
    access: { portal: true },
    summary: 'Voir ce que fermer son compte entraînerait',
    response: AccountClosureFacts,
  }),
  close: defineEndpoint({
    method: 'POST',
    path: '/api/portal/closure',
    access: { portal: true },
    lapsed: true,
    summary: 'Fermer son compte',
    body: AccountClosureRequest,
    response: SuccessReply,
  }),
}

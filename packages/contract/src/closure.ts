import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { SuccessReply } from './primitives.ts'

/** What the closing of one's account would meet. */
export const AccountClosureFacts = z.object({
  /** Operations that a meter of theirs goes on taking part in: leaving them is asked of the organiser. */
  running: z.array(z.string()),
  /** Cents that remain to be paid. */
  open: z.int(),
  /** Free agreements that would be withdrawn with it. */
  agreements: z.int(),
  /** Whether the same account opens another organisation, and stays for it. */
  elsewhere: z.boolean(),
})
export type AccountClosureFacts = z.infer<typeof AccountClosureFacts>

export const AccountClosureRequest = z.strictObject({
  password: z.string().min(1, 'Saisissez votre mot de passe.').max(1024),
  /** Also forget what the organiser knows of them, as soon as nothing stands in the way. */
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

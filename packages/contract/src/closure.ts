import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done } from './primitives.ts'

/** What the closing of one's account would meet. */
export const ClosureFacts = z.object({
  /** Operations that a meter of theirs goes on taking part in: leaving them is asked of the organiser. */
  running: z.array(z.string()),
  /** Cents that remain to be paid. */
  open: z.int(),
  /** Free agreements that would be withdrawn with it. */
  agreements: z.int(),
  /** Whether the same account opens another organisation, and stays for it. */
  elsewhere: z.boolean(),
})
export type ClosureFacts = z.infer<typeof ClosureFacts>

export const ClosureOrder = z.strictObject({
  password: z.string().min(1, 'Saisissez votre mot de passe.').max(1024),
  /** Also forget what the organiser knows of them, as soon as nothing stands in the way. */
  erase: z.boolean().default(false),
})

export const closure = {
  look: endpoint({
    method: 'GET',
    path: '/api/portal/closure',
    access: { portal: true },
    summary: 'Voir ce que fermer son compte entraînerait',
    response: ClosureFacts,
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/portal/closure',
    access: { portal: true },
    lapsed: true,
    summary: 'Fermer son compte',
    body: ClosureOrder,
    response: Done,
  }),
}

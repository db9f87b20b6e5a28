import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

export const Commune = z.object({
  /** The INSEE code. */
  code: z.string(),
  name: z.string(),
  postalCodes: z.array(z.string()),
  /** Coordinates of its centre, where known. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
})
export type Commune = z.infer<typeof Commune>

export const communes = {
  search: defineEndpoint({
    method: 'GET',
    path: '/api/communes',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Chercher une commune par son nom ou son code postal',
    query: z.object({ q: z.string().trim().min(2).max(100) }),
    response: z.object({ items: z.array(Commune) }),
  }),
}

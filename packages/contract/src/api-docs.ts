import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

export const DocTab = z.enum(['authentication', 'operations', 'energy', 'webhooks'])
export type DocTab = z.infer<typeof DocTab>

const Field = z.object({
  name: z.string(),
  place: z.enum(['path', 'query', 'body', 'response']),
  type: z.string(),
  required: z.boolean(),
  description: z.string(),
})
export const DocEndpoint = z.object({
  id: z.string(),
  tab: DocTab,
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  /** Who may call it, in French. */
  access: z.string(),
  /** Whether a call needs a token: public endpoints do not. */
  signed: z.boolean(),
  fields: z.array(Field),
  /** An example call and its answer, valid under the contract's own schemas. */
  example: z.object({ path: z.string(), body: z.string().nullable(), status: z.int(), response: z.string() }),
  errors: z.array(z.object({ status: z.int(), code: z.string(), message: z.string() })),
  /** Whether it may be tried on the demonstration data. */
  tryable: z.boolean(),
})
export type DocEndpoint = z.infer<typeof DocEndpoint>

export const apiDocs = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/api-docs',
    access: 'public',
    summary: 'Lire la documentation de l’API',
    response: z.object({
      version: z.string(),
      endpoints: z.array(DocEndpoint),
      /** Whether there is a demonstration company to try calls on. */
      demo: z.boolean(),
    }),
  }),
  pdf: defineEndpoint({
    method: 'GET',
    path: '/api/pdf/generate-api-docs',
    access: 'public',
    summary: 'Télécharger la documentation de l’API',
    response: { file: 'application/pdf' },
  }),
  tryOut: defineEndpoint({
    method: 'POST',
    path: '/api/api-docs/try',
    access: 'public',
    summary: 'Essayer un appel sur la démonstration',
    body: z.strictObject({
      id: z.string().max(80),
      query: z.record(z.string().max(60), z.string().max(200)).default({}),
      /** The caller's own key: the call then reads their data instead of the demonstration data. */
      key: z.string().trim().max(200).optional(),
    }),
    response: z.object({
      request: z.string(),
      status: z.int(),
      milliseconds: z.number(),
      contentType: z.string(),
      body: z.string(),
    }),
    audit: 'none',
  }),
}

import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildImagePathSchema, buildPageSchema, Id, Instant, ListQuery, SuccessReply, Version } from './primitives.ts'

export const SitePath = z
  .string()
  .trim()
  .max(300)
  .regex(/^\/(?!\/)[A-Za-z0-9/_.~-]*$/, 'Chemin attendu, par exemple /solutions/collective.')
/** A picture of this site: an outside address would tell another host who reads the page. */
const Picture = buildImagePathSchema('/og-preview.png')
/** What a search engine shows before it cuts; counted in characters. */
export const SEO_LENGTHS = { title: { min: 30, max: 60 }, description: { min: 70, max: 160 } } as const

/** Kept under these names: they are those of the documented API. */
export const SeoContent = z.object({
  title: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  previewImageUrl: z.string(),
})
export type SeoContent = z.infer<typeof SeoContent>

const optionalFields = {
  /** Empty: what the page itself says. */
  title: z.string().trim().max(120).default(''),
  description: z.string().trim().max(320).default(''),
  keywords: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
  previewImageUrl: Picture.default(''),
}
export const SeoRecord = z.object({
  path: z.string(),
  /** What the page says without a record. */
  own: SeoContent,
  /** What is served. */
  served: SeoContent,
  hasRecord: z.boolean(),
  title: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  previewImageUrl: z.string(),
  /** What is too short, too long, missing or the same as on another page. */
  warnings: z.array(z.string()),
  updatedAt: Instant.nullable(),
  updatedBy: z.string(),
  version: z.int(),
})
export type SeoRecord = z.infer<typeof SeoRecord>

export const Redirect = z.object({
  id: Id,
  from: z.string(),
  to: z.string(),
  permanent: z.boolean(),
  hits: z.int(),
  lastHitAt: Instant.nullable(),
  createdAt: Instant,
})
export type Redirect = z.infer<typeof Redirect>

export const seo = {
  content: defineEndpoint({
    method: 'GET',
    path: '/api/seo/content',
    access: 'public',
    summary: 'Lire le référencement d’une page',
    query: z.object({ path: z.string().max(300).optional(), url: z.string().max(300).optional() }),
    response: SeoContent,
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/seo/records',
    access: { permission: 'seo.read' },
    summary: 'Lister le référencement des pages',
    query: ListQuery.extend({ state: z.enum(['warning', 'record', 'own']).optional() }),
    response: buildPageSchema(SeoRecord),
  }),
  save: defineEndpoint({
    method: 'PUT',
    path: '/api/seo/records',
    access: { permission: 'seo.write' },
    summary: 'Enregistrer le référencement d’une page',
    body: z.strictObject({ path: SitePath, ...optionalFields, version: Version.or(z.literal(0)) }),
    response: SeoRecord,
  }),
  reset: defineEndpoint({
    method: 'DELETE',
    path: '/api/seo/records',
    access: { permission: 'seo.write' },
    summary: 'Revenir au référencement d’origine',
    query: z.object({ path: SitePath }),
    response: SuccessReply,
  }),
  generate: defineEndpoint({
    method: 'POST',
    path: '/api/seo/generate',
    access: { permission: 'seo.write' },
    summary: 'Proposer un référencement d’après le texte de la page',
    body: z.strictObject({ path: SitePath }),
    audit: 'none',
    timeout: 120,
    response: z.object({ proposals: z.array(SeoContent.omit({ previewImageUrl: true })) }),
  }),
  redirects: defineEndpoint({
    method: 'GET',
    path: '/api/seo/redirects',
    access: { permission: 'seo.read' },
    summary: 'Lister les redirections',
    query: ListQuery,
    response: buildPageSchema(Redirect),
  }),
  addRedirect: defineEndpoint({
    method: 'POST',
    path: '/api/seo/redirects',
    access: { permission: 'seo.write' },
    summary: 'Ajouter une redirection',
    body: z.strictObject({ from: SitePath, to: SitePath, permanent: z.boolean().default(true) }),
    response: Redirect,
  }),
  removeRedirect: defineEndpoint({
    method: 'DELETE',
    path: '/api/seo/redirects/:id',
    access: { permission: 'seo.write' },
    summary: 'Supprimer une redirection',
    params: z.object({ id: Id }),
    response: SuccessReply,
  }),
}

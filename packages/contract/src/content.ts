import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Id, Instant, ListQuery, SuccessReply, Text, Version } from './primitives.ts'
import { Block } from './prose.ts'

/** What the site publishes. A `page` has a fixed address: `cgu` is at /legal/cgu. */
export const ContentKind = z.enum(['article', 'webinar', 'white-paper', 'case-study', 'faq', 'guide', 'page'])
export type ContentKind = z.infer<typeof ContentKind>
export const ContentStatus = z.enum(['draft', 'scheduled', 'published', 'archived'])
export type ContentStatus = z.infer<typeof ContentStatus>

/** Categories per kind; the first is the default. */
export const CONTENT_CATEGORIES = {
  article: ['actualites', 'blog'],
  webinar: ['webinaires'],
  'white-paper': ['livres-blancs'],
  'case-study': ['residential', 'collective', 'industrial'],
  faq: ['comprendre', 'participer', 'argent', 'donnees', 'plateforme'],
  guide: ['premiers-pas', 'operations', 'donnees', 'repartition', 'portail', 'pratiques'],
  page: ['legal'],
} as const satisfies Record<ContentKind, readonly [string, ...string[]]>

const Slug = z
  .string()
  .trim()
  .max(120)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Minuscules, chiffres et tirets attendus, par exemple partager-son-toit.')

export const ContentDraft = z.strictObject({
  title: Text,
  slug: Slug,
  summary: z.string().trim().min(1).max(400),
  category: z.string().max(40),
  author: z.string().trim().max(120).default(''),
  /** Lower positions come first within a category. */
  position: z.int().min(0).max(10_000).default(100),
  body: z.string().max(200_000),
  imageId: Id.nullable().default(null),
  imageAlt: z.string().trim().max(300).default(''),
  /** For a webinar. */
  startsAt: Instant.nullable().default(null),
  minutes: z.int().min(5).max(600).nullable().default(null),
  speaker: z.string().trim().max(200).default(''),
  /** Sent to those who registered, never shown. */
  joinUrl: z.union([z.literal(''), z.url({ protocol: /^https$/, error: 'Adresse attendue en https://.' })]).default(''),
})
export type ContentDraft = z.infer<typeof ContentDraft>

const Image = z.object({ src: z.string(), alt: z.string() })

/** A content item as shown in a list of the site. */
export const ContentCard = z.object({
  kind: ContentKind,
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  category: z.string(),
  author: z.string(),
  publishedAt: Instant,
  updatedAt: Instant,
  readingMinutes: z.int(),
  image: Image.nullable(),
  startsAt: Instant.nullable(),
  minutes: z.int().nullable(),
  speaker: z.string(),
  /** Only for questions, whose answer is read in the list. */
  body: z.array(Block).nullable(),
})
export type ContentCard = z.infer<typeof ContentCard>
export const ContentPage = ContentCard.extend({ body: z.array(Block), related: z.array(ContentCard) })
export type ContentPage = z.infer<typeof ContentPage>

export const ContentRow = z.object({
  id: Id,
  kind: ContentKind,
  slug: z.string(),
  title: z.string(),
  category: z.string(),
  status: ContentStatus,
  /** The draft differs from the published version. */
  hasChanges: z.boolean(),
  publishAt: Instant.nullable(),
  publishedAt: Instant.nullable(),
  updatedAt: Instant,
  updatedBy: z.string(),
  /** The address of the page. */
  path: z.string(),
  version: z.int(),
})
export type ContentRow = z.infer<typeof ContentRow>
export const ContentRecord = ContentRow.extend({ draft: ContentDraft })
export type ContentRecord = z.infer<typeof ContentRecord>

export const ContentVersion = z.object({
  number: z.int(),
  event: z.enum(['created', 'saved', 'published', 'scheduled', 'unpublished', 'restored']),
  savedAt: Instant,
  savedBy: z.string(),
  title: z.string(),
  words: z.int(),
})
export const SiteImage = z.object({
  id: Id,
  name: z.string(),
  src: z.string(),
  mediaType: z.string(),
  size: z.int(),
  width: z.int(),
  height: z.int(),
  createdAt: Instant,
})
export type SiteImage = z.infer<typeof SiteImage>

/** A question or a guide that may answer what the user is typing. */
export const Suggestion = z.object({
  kind: z.enum(['faq', 'guide']),
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  /** The address of the page. */
  path: z.string(),
})
export type Suggestion = z.infer<typeof Suggestion>

const idParams = z.object({ id: Id })
const state = z.strictObject({ version: Version })

export const content = {
  published: defineEndpoint({
    method: 'GET',
    path: '/api/content/:kind',
    access: 'public',
    summary: 'Lister ce que le site publie',
    params: z.object({ kind: ContentKind }),
    query: ListQuery.extend({ category: z.string().max(40).optional() }),
    response: buildPageSchema(ContentCard),
  }),
  read: defineEndpoint({
    method: 'GET',
    path: '/api/content/:kind/:slug',
    access: 'public',
    summary: 'Lire un contenu du site',
    params: z.object({ kind: ContentKind, slug: Slug }),
    response: ContentPage,
  }),
  suggest: defineEndpoint({
    method: 'GET',
    path: '/api/knowledge',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Chercher dans les questions fréquentes et les guides',
    query: z.object({
      q: z.string().trim().max(2000).default(''),
      size: z.coerce.number().int().min(1).max(30).default(4),
    }),
    response: z.object({ items: z.array(Suggestion) }),
  }),
  image: defineEndpoint({
    method: 'GET',
    path: '/api/site-images/:id',
    access: 'public',
    summary: 'Afficher une image du site',
    params: idParams,
    response: { file: 'image/*' },
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/cms/contents',
    access: { permission: 'content.read' },
    summary: 'Lister les contenus du site',
    query: ListQuery.extend({ kind: ContentKind.optional(), status: ContentStatus.optional() }),
    response: buildPageSchema(ContentRow),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/cms/contents/:id',
    access: { permission: 'content.read' },
    summary: 'Ouvrir un contenu',
    params: idParams,
    response: ContentRecord,
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/cms/contents',
    access: { permission: 'content.write' },
    summary: 'Créer un contenu',
    body: z.strictObject({ kind: ContentKind, draft: ContentDraft }),
    response: ContentRecord,
  }),
  save: defineEndpoint({
    method: 'PUT',
    path: '/api/cms/contents/:id',
    access: { permission: 'content.write' },
    summary: 'Enregistrer un brouillon',
    params: idParams,
    body: state.extend({ draft: ContentDraft }),
    response: ContentRecord,
  }),
  publish: defineEndpoint({
    method: 'POST',
    path: '/api/cms/contents/:id/publish',
    access: { permission: 'content.write' },
    summary: 'Publier un contenu, aussitôt ou à une date',
    params: idParams,
    /** With a future instant, it is published then. */
    body: state.extend({ at: Instant.nullable().default(null) }),
    response: ContentRecord,
  }),
  unpublish: defineEndpoint({
    method: 'POST',
    path: '/api/cms/contents/:id/unpublish',
    access: { permission: 'content.write' },
    summary: 'Retirer un contenu du site',
    params: idParams,
    body: state,
    response: ContentRecord,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/cms/contents/:id',
    access: { permission: 'content.write' },
    summary: 'Supprimer un contenu',
    params: idParams,
    response: SuccessReply,
  }),
  versions: defineEndpoint({
    method: 'GET',
    path: '/api/cms/contents/:id/versions',
    access: { permission: 'content.read' },
    summary: 'Lister les versions d’un contenu',
    params: idParams,
    response: z.object({ items: z.array(ContentVersion) }),
  }),
  version: defineEndpoint({
    method: 'GET',
    path: '/api/cms/contents/:id/versions/:number',
    access: { permission: 'content.read' },
    summary: 'Lire une version d’un contenu',
    params: idParams.extend({ number: z.coerce.number().int().min(1) }),
    response: z.object({ draft: ContentDraft, body: z.array(Block) }),
  }),
  restore: defineEndpoint({
    method: 'POST',
    path: '/api/cms/contents/:id/restore',
    access: { permission: 'content.write' },
    summary: 'Reprendre une version',
    params: idParams,
    body: state.extend({ number: z.int().min(1) }),
    response: ContentRecord,
  }),
  preview: defineEndpoint({
    method: 'POST',
    path: '/api/cms/preview',
    access: { permission: 'content.read' },
    summary: 'Prévisualiser un texte',
    body: z.strictObject({ body: z.string().max(200_000) }),
    audit: 'none',
    response: z.object({
      body: z.array(Block),
      readingMinutes: z.int(),
      words: z.int(),
      /** Faults for the editor: an image without alternative text, a broken link, a skipped heading level. */
      warnings: z.array(z.string()),
    }),
  }),
  images: defineEndpoint({
    method: 'GET',
    path: '/api/cms/images',
    access: { permission: 'content.read' },
    summary: 'Lister les images du site',
    query: ListQuery,
    response: buildPageSchema(SiteImage),
  }),
  addImage: defineEndpoint({
    method: 'POST',
    path: '/api/cms/images',
    access: { permission: 'content.write' },
    summary: 'Déposer une image',
    query: z.object({ name: Text }),
    upload: 5_000_000,
    response: SiteImage,
  }),
  removeImage: defineEndpoint({
    method: 'DELETE',
    path: '/api/cms/images/:id',
    access: { permission: 'content.write' },
    summary: 'Retirer une image',
    params: idParams,
    response: SuccessReply,
  }),
}

import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildImagePathSchema, CompanyId, Email, Instant, OptionalText, SuccessReply, Version } from './primitives.ts'

const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Couleur attendue en hexadécimal, par exemple #007BFF.')
const Radius = z
  .string()
  .regex(/^(?:\d(?:\.\d{1,3})?rem|\d{1,2}px)$/, 'Rayon attendu en rem ou en px, par exemple 0.5rem.')
const Font = z.string().regex(/^[A-Za-z][A-Za-z0-9 ]{0,40}$/, 'Nom de police attendu, par exemple Inter.')
const Picture = buildImagePathSchema('/api/files/logo.png')
/** What turns the direction of writing would turn the words of the page around it too. */
const NO_BIDI_PATTERN = /^[^\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/
const BIDI_ERROR = 'Les marques de sens d’écriture ne sont pas acceptées.'
/** The texts of the portal that a company may write itself. */
const PORTAL_TEXTS = ['welcome', 'footer'] as const
const PortalText = z.string().trim().max(500).regex(NO_BIDI_PATTERN, BIDI_ERROR)

// Of the browser and of Node alike; the contract is written for neither.
declare const URL: { canParse(text: string): boolean; new (text: string): { hostname: string } }

/** A host as it is typed or pasted: with its protocol, a path, a last dot, or letters that names are not written in. */
function normalizeHost(text: string): string {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#:@\\].*$/s, '')
    .replace(/\.$/, '')
  return bare && URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`).hostname : bare
}
const HOST_PATTERN = /^(?:|(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9])$/
const Host = z
  .string()
  .max(300)
  .transform(normalizeHost)
  .pipe(z.string().regex(HOST_PATTERN, 'Nom de domaine attendu, par exemple energie.exemple.fr.'))

export const WhiteLabel = z.object({
  primaryColor: Colour.default('#007BFF'),
  secondaryColor: Colour.default('#6C757D'),
  accentColor: Colour.default('#17A2B8'),
  darkModeEnabled: z.boolean().default(false),
  darkModePrimaryColor: Colour.default('#3399FF'),
  darkModeSecondaryColor: Colour.default('#495057'),
  darkModeAccentColor: Colour.default('#20C997'),
  darkModeBackgroundColor: Colour.default('#121212'),
  borderRadius: Radius.default('0.5rem'),
  buttonStyle: z.enum(['square', 'pill', 'rounded']).default('rounded'),
  cardShadow: z.enum(['none', 'sm', 'md', 'lg', 'xl']).default('md'),
  fontFamily: Font.default('Inter'),
  logoUrl: Picture.default(''),
  customLogo: Picture.default(''),
  customFavicon: Picture.default(''),
  customDomain: Host.default(''),
  clientPortalEnabled: z.boolean().default(true),
  clientPortalCustomizations: z.partialRecord(z.enum(PORTAL_TEXTS), PortalText).default({}),
  companyName: OptionalText.regex(NO_BIDI_PATTERN, BIDI_ERROR).default('Voisol'),
  companyEmail: z.union([z.literal(''), Email]).default('contact@voisol.fr'),
  companyPhone: OptionalText.max(50).regex(NO_BIDI_PATTERN, BIDI_ERROR).default(''),
  companyAddress: z.string().trim().max(500).regex(NO_BIDI_PATTERN, BIDI_ERROR).default(''),
})
export type WhiteLabel = z.infer<typeof WhiteLabel>
export const DEFAULT_WHITE_LABEL: WhiteLabel = WhiteLabel.parse({})

export const WhiteLabelRecord = WhiteLabel.extend({ version: z.int() })
type OptionalWhiteLabelFields = {
  [K in keyof WhiteLabel]: z.ZodOptional<ReturnType<(typeof WhiteLabel)['shape'][K]['unwrap']>>
}
/** Without defaults: a partial save must not reset what it does not name. */
const optionalFields = Object.fromEntries(
  Object.entries(WhiteLabel.shape).map(([key, field]) => [key, field.unwrap().optional()]),
) as OptionalWhiteLabelFields // fromEntries forgets which key has which schema
export const WhiteLabelUpdate = z.strictObject({ ...optionalFields, version: Version.or(z.literal(0)) })

/** A look that is not kept yet: what it names stands before what is kept. */
export const WhiteLabelDraft = z.strictObject(optionalFields)

const params = z.object({ companyId: CompanyId })

export const PictureKind = z.enum(['logo', 'favicon'])
export type PictureKind = z.infer<typeof PictureKind>
export const MAX_PICTURE_BYTES: Record<PictureKind, number> = { logo: 500_000, favicon: 100_000 }
export const BrandPicture = z.object({
  src: z.string(),
  mediaType: z.string(),
  size: z.int(),
  width: z.int(),
  height: z.int(),
})
/** Its name, and its kind at the end: what a reader of mail shows is known by it. */
const PictureFile = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:png|jpg|webp|ico|svg)$/)
/** The host of a company: what its owner writes in the DNS, and since when it is believed. */
export const BrandDomain = z.object({
  host: z.string(),
  /** The name of the TXT record, and what it holds; beside it an alias of the host leads to `target`. */
  recordName: z.string(),
  record: z.string(),
  target: z.string(),
  provedAt: Instant.nullable(),
  /** From when the links of messages lead there, a while after the proof. */
  linksFrom: Instant.nullable(),
  lapsedAt: Instant.nullable(),
  believedUntil: Instant.nullable(),
})
export type BrandDomain = z.infer<typeof BrandDomain>
export const MailSample = z.object({ subject: z.string(), html: z.string(), text: z.string() })

export const whiteLabel = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/companies/:companyId/white-label',
    access: 'public',
    summary: 'Lire la marque blanche',
    params,
    response: WhiteLabelRecord,
  }),
  update: defineEndpoint({
    method: 'PUT',
    path: '/api/companies/:companyId/white-label',
    access: { permission: 'companies.write' },
    summary: 'Modifier la marque blanche',
    params,
    body: WhiteLabelUpdate,
    response: WhiteLabelRecord,
  }),
  here: defineEndpoint({
    method: 'GET',
    path: '/api/brand',
    access: 'public',
    summary: 'Lire la marque de l’hôte appelé',
    response: WhiteLabelRecord,
  }),
  ask: defineEndpoint({
    method: 'GET',
    path: '/api/domain-ask',
    access: 'public',
    summary: 'Dire à un relais si un hôte peut recevoir un certificat',
    query: z.object({ domain: z.string().max(300) }),
    response: SuccessReply,
  }),
  domain: defineEndpoint({
    method: 'GET',
    path: '/api/companies/:companyId/white-label/domain',
    access: { permission: 'companies.read' },
    summary: 'Voir la preuve du domaine',
    params,
    response: BrandDomain,
  }),
  proveDomain: defineEndpoint({
    method: 'POST',
    path: '/api/companies/:companyId/white-label/domain/proof',
    access: { permission: 'companies.write' },
    summary: 'Vérifier la preuve du domaine',
    params,
    response: BrandDomain,
  }),
  addPicture: defineEndpoint({
    method: 'POST',
    path: '/api/companies/:companyId/brand-pictures',
    access: { permission: 'companies.write' },
    summary: 'Déposer un logo ou une icône',
    params,
    query: z.object({ kind: PictureKind }),
    upload: MAX_PICTURE_BYTES.logo,
    response: BrandPicture,
  }),
  picture: defineEndpoint({
    method: 'GET',
    path: '/api/companies/:companyId/brand-pictures/:file',
    access: 'public',
    summary: 'Afficher un logo ou une icône',
    params: params.extend({ file: PictureFile }),
    response: { file: 'image/*' },
  }),
  previewInvoice: defineEndpoint({
    method: 'POST',
    path: '/api/companies/:companyId/white-label/invoice',
    access: { permission: 'companies.write' },
    summary: 'Voir une facture avec une apparence à l’essai',
    params,
    body: WhiteLabelDraft,
    response: { file: 'application/pdf' },
    audit: 'none',
  }),
  previewMail: defineEndpoint({
    method: 'POST',
    path: '/api/companies/:companyId/white-label/mail',
    access: { permission: 'companies.write' },
    summary: 'Voir un message avec une apparence à l’essai',
    params,
    body: WhiteLabelDraft,
    response: MailSample,
    audit: 'none',
  }),
}

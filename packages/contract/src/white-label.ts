import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CompanyId, Email, OptionalText, picturePath, Version } from './primitives.ts'

const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Couleur attendue en hexadécimal, par exemple #007BFF.')
const Radius = z
  .string()
  .regex(/^(?:\d(?:\.\d{1,3})?rem|\d{1,2}px)$/, 'Rayon attendu en rem ou en px, par exemple 0.5rem.')
const Font = z.string().regex(/^[A-Za-z][A-Za-z0-9 ]{0,40}$/, 'Nom de police attendu, par exemple Inter.')
const Picture = picturePath('/api/files/logo.png')

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
  customDomain: z
    .string()
    .regex(/^(?:|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/, 'Nom de domaine attendu, par exemple energie.exemple.fr.')
    .default(''),
  clientPortalEnabled: z.boolean().default(true),
  clientPortalCustomizations: z.record(z.string(), z.string().max(2000)).default({}),
  companyName: OptionalText.default('Voisol'),
  companyEmail: z.union([z.literal(''), Email]).default('contact@voisol.fr'),
  companyPhone: OptionalText.max(50).default(''),
  companyAddress: z.string().trim().max(500).default(''),
})
export type WhiteLabel = z.infer<typeof WhiteLabel>
export const DEFAULT_WHITE_LABEL: WhiteLabel = WhiteLabel.parse({})

export const WhiteLabelRecord = WhiteLabel.extend({ version: z.int() })
type Given = { [K in keyof WhiteLabel]: z.ZodOptional<ReturnType<(typeof WhiteLabel)['shape'][K]['unwrap']>> }
/** Without defaults: a partial save must not reset what it does not name. */
const given = Object.fromEntries(
  Object.entries(WhiteLabel.shape).map(([key, field]) => [key, field.unwrap().optional()]),
) as Given // fromEntries forgets which key has which schema
export const WhiteLabelUpdate = z.strictObject({ ...given, version: Version.or(z.literal(0)) })

const params = z.object({ companyId: CompanyId })

export const whiteLabel = {
  get: endpoint({
    method: 'GET',
    path: '/api/companies/:companyId/white-label',
    access: 'public',
    summary: 'Lire la marque blanche',
    params,
    response: WhiteLabelRecord,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/companies/:companyId/white-label',
    access: { permission: 'companies.write' },
    summary: 'Modifier la marque blanche',
    params,
    body: WhiteLabelUpdate,
    response: WhiteLabelRecord,
  }),
}

import { z } from 'zod'
import { PORTAL_BLOCKS } from './access.ts'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Email, Id, Instant, ListQuery, OptionalText, SuccessReply } from './primitives.ts'

export const PortalBlock = z.object({ key: z.enum(PORTAL_BLOCKS), shown: z.boolean() })
export type PortalBlock = z.infer<typeof PortalBlock>

const portalSettingFields = {
  blocks: z
    .array(PortalBlock)
    .length(PORTAL_BLOCKS.length)
    .refine((blocks) => new Set(blocks.map(({ key }) => key)).size === blocks.length, 'Chaque bloc une fois.'),
  /** Whether somebody is told how comparable neighbours fare. */
  comparison: z.boolean(),
  welcome: z.string().trim().max(600),
}
export const PortalSettings = z.object(portalSettingFields)
export type PortalSettings = z.infer<typeof PortalSettings>
/** Version 0 where nothing was chosen yet. */
export const PortalSettingsUpdate = z.strictObject({ ...portalSettingFields, version: z.int().min(0) })

export const InvitationState = z.enum(['none', 'sent', 'expired', 'accepted', 'disabled'])
export type InvitationState = z.infer<typeof InvitationState>

/** A participant, and whether they come. */
export const PortalPerson = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  operations: z.array(z.string()),
  state: InvitationState,
  /** When the invitation first left, and when the last one did, where it was sent again. */
  invitedAt: Instant.nullable(),
  remindedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  lastSignInAt: Instant.nullable(),
  lastVisitAt: Instant.nullable(),
  /** The last letter with a code: when it was made, until when it holds, and when it was used. */
  letter: z.object({ madeAt: Instant, expiresAt: Instant, usedAt: Instant.nullable() }).nullable(),
})
export type PortalPerson = z.infer<typeof PortalPerson>

export const PortalPeopleQuery = ListQuery.extend({
  operationId: Id.optional(),
  state: InvitationState.optional(),
  /** Only those without an e-mail address. */
  post: z.enum(['true']).optional(),
})

/** How many of an operation's participants come; `recent` within thirty days. */
export const PortalAdoption = z.object({
  participants: z.int(),
  invited: z.int(),
  accounts: z.int(),
  recent: z.int(),
})
export type PortalAdoption = z.infer<typeof PortalAdoption>

/** Typed from paper: dashes, spaces and case do not matter. */
const PostalAccessCode = z
  .string()
  .max(60)
  .transform((value) => value.toUpperCase().replace(/[^0-9A-Z]/g, ''))
  .refine((value) => value.length === 16, 'Le code compte seize signes, par exemple 7KQF-2M9X-HB4T-6WPD.')

const params = z.object({ id: Id })
const basePath = '/api/portal'

export const portalManagement = {
  settings: defineEndpoint({
    method: 'GET',
    path: `${basePath}/settings`,
    access: { permission: 'portal.read' },
    summary: 'Lire ce que voient les participants',
    response: PortalSettings.extend({ version: z.int() }),
  }),
  saveSettings: defineEndpoint({
    method: 'PUT',
    path: `${basePath}/settings`,
    access: { permission: 'portal.write' },
    summary: 'Choisir ce que voient les participants',
    body: PortalSettingsUpdate,
    response: PortalSettings.extend({ version: z.int() }),
  }),
  shown: defineEndpoint({
    method: 'GET',
    path: `${basePath}/shown`,
    access: { portal: true },
    summary: 'Lire ce que montre son espace',
    response: PortalSettings,
  }),
  people: defineEndpoint({
    method: 'GET',
    path: `${basePath}/people`,
    access: { permission: 'portal.read' },
    summary: 'Lister les invitations et les connexions des participants',
    query: PortalPeopleQuery,
    response: buildPageSchema(PortalPerson),
  }),
  adoption: defineEndpoint({
    method: 'GET',
    path: `${basePath}/adoption`,
    access: { permission: 'portal.read' },
    summary: 'Lire combien de participants viennent dans leur espace',
    response: z.object({
      total: PortalAdoption,
      items: z.array(PortalAdoption.extend({ operationId: Id, operationName: z.string() })),
    }),
  }),
  remindAll: defineEndpoint({
    method: 'POST',
    path: `${basePath}/reminders`,
    access: { permission: 'participants.write' },
    summary: 'Relancer les invitations sans réponse',
    body: z.strictObject({ operationId: Id.optional() }),
    /** `left`: those who were written to less than three days ago, or beyond the most at once. */
    response: z.object({ sent: z.int(), left: z.int() }),
  }),
  letters: defineEndpoint({
    method: 'POST',
    path: `${basePath}/letters`,
    access: { permission: 'participants.write' },
    summary: 'Préparer des lettres d’invitation avec leur code',
    body: z.strictObject({
      /** Those people; absent, everybody without an e-mail address and without an account. */
      participantIds: z.array(Id).min(1).max(200).optional(),
      operationId: Id.optional(),
    }),
    response: { file: 'application/pdf' },
  }),
  view: defineEndpoint({
    method: 'POST',
    path: `${basePath}/people/:id/view`,
    access: { permission: 'portal.view' },
    summary: 'Voir le portail d’un participant',
    params,
    response: z.object({ viewId: Id, name: z.string(), expiresAt: Instant }),
  }),
  endView: defineEndpoint({
    method: 'DELETE',
    path: `${basePath}/views/:id`,
    access: { permission: 'portal.view' },
    summary: 'Quitter le portail d’un participant',
    params,
    response: SuccessReply,
  }),
  activate: defineEndpoint({
    method: 'POST',
    path: `${basePath}/activation`,
    access: 'public',
    summary: 'Ouvrir son espace avec le code d’une lettre',
    body: z.strictObject({ code: PostalAccessCode, email: Email }),
    /** `known`: the address already opens an account, which sees it from now on. */
    response: z.object({ companyName: OptionalText, known: z.boolean() }),
  }),
}

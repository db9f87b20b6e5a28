import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { CsvDialect } from './exports.ts'
import { Day, Id, Instant, SuccessReply, Text } from './primitives.ts'

/** What a token of one's own may open. */
export const OWN_SCOPES = ['energy.read', 'invoices.read'] as const
export const OwnScope = z.enum(OWN_SCOPES)
export type OwnScope = z.infer<typeof OwnScope>

/** Kilowatt-hours over some days; what is not known yet is not in them. */
export const OwnFigures = z.object({
  from: Day,
  to: Day,
  consumedKwh: z.number(),
  localKwh: z.number(),
  gridKwh: z.number(),
  producedKwh: z.number(),
  sharedKwh: z.number(),
  surplusKwh: z.number(),
  localRate: z.number().nullable(),
  sharedRate: z.number().nullable(),
  receivedRate: z.number().nullable(),
})
export type OwnFigures = z.infer<typeof OwnFigures>

export const OwnToken = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(OwnScope),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type OwnToken = z.infer<typeof OwnToken>
export const NewOwnToken = z.strictObject({
  name: Text.max(60),
  scopes: z.array(OwnScope).min(1, 'Choisissez au moins ce que le jeton ouvre.').max(OWN_SCOPES.length),
})

const tableFormat = z.enum(['csv', 'json']).default('csv')
const tableFields = { format: tableFormat, dialect: CsvDialect.default('french') }
const energyAccess = { permission: 'energy.read', portal: true, token: true } as const
const invoicesAccess = { permission: 'invoices.read', portal: true, token: true } as const

/** One's own figures for one's own programs: those of a participant, or of an organiser with a key of the API. */
export const ownFeed = {
  figures: defineEndpoint({
    method: 'GET',
    path: '/api/own/figures',
    access: energyAccess,
    summary: 'Lire ses chiffres du jour, du mois et de l’année',
    response: z.object({
      receivedUntil: Instant.nullable(),
      lastDay: OwnFigures.nullable(),
      month: OwnFigures,
      year: OwnFigures,
    }),
  }),
  days: defineEndpoint({
    method: 'GET',
    path: '/api/own/days',
    access: energyAccess,
    summary: 'Lire ses énergies jour par jour',
    query: z.object({ ...tableFields, from: Day.optional(), to: Day.optional() }),
    response: { file: 'text/csv' },
  }),
  invoices: defineEndpoint({
    method: 'GET',
    path: '/api/own/invoices',
    access: invoicesAccess,
    summary: 'Lire ses factures',
    query: z.object(tableFields),
    response: { file: 'text/csv' },
  }),
  tokens: defineEndpoint({
    method: 'GET',
    path: '/api/own/tokens',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Lister ses jetons de lecture',
    response: z.object({ items: z.array(OwnToken) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/own/tokens',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Créer un jeton de lecture',
    body: NewOwnToken,
    /** The token itself is in this answer only. */
    response: OwnToken.extend({ token: z.string() }),
  }),
  revoke: defineEndpoint({
    method: 'DELETE',
    path: '/api/own/tokens/:id',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Révoquer un jeton de lecture',
    params: z.object({ id: Id }),
    response: SuccessReply,
  }),
}

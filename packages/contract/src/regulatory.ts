import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Id, Instant, SuccessReply, Text } from './primitives.ts'

export const RegulatoryKind = z.enum(['consumers', 'producers', 'movements', 'coefficients', 'consents', 'yearly'])
export type RegulatoryKind = z.infer<typeof RegulatoryKind>
/** What a kind is of: the day it is made, a month or a year. */
export const PERIOD_TYPE_BY_KIND: Record<RegulatoryKind, 'now' | 'month' | 'year'> = {
  consumers: 'now',
  producers: 'now',
  consents: 'now',
  movements: 'month',
  coefficients: 'month',
  yearly: 'year',
}
export const REGULATORY_LABELS: Record<RegulatoryKind, { title: string; purpose: string }> = {
  consumers: {
    title: 'Liste des consommateurs',
    purpose: 'Annexe de la convention d’autoconsommation collective.',
  },
  producers: {
    title: 'Liste des producteurs',
    purpose: 'Annexe de la convention d’autoconsommation collective.',
  },
  movements: {
    title: 'Avis de mouvements',
    purpose: 'Entrées, sorties et changements de clé d’un mois, à annoncer au distributeur avant leur effet.',
  },
  coefficients: {
    title: 'Coefficients de répartition',
    purpose: 'Part de chaque consommateur, pas par pas, pour un mois calculé définitivement.',
  },
  consents: {
    title: 'Dossier des consentements',
    purpose: 'Qui a accepté quoi, quand et par quel moyen, avec le texte présenté.',
  },
  yearly: {
    title: 'Bilan annuel',
    purpose: 'L’année de l’opération mois par mois\u00a0: énergies, taux, participants et ventes.',
  },
}
/** Read in a query or written in a body: a month, a year, or nothing. */
const RegulatoryPeriod = z
  .string()
  .regex(/^(|\d{4}|\d{4}-(0[1-9]|1[0-2]))$/, 'Un mois (2026-05) ou une année (2026) est attendu.')

const SendingChannel = z.enum(['mail', 'portal', 'post', 'hand'])
export const SENDING_CHANNEL_LABELS: Record<z.infer<typeof SendingChannel>, string> = {
  mail: 'Par e-mail',
  portal: 'Sur le portail du distributeur',
  post: 'Par courrier',
  hand: 'En main propre',
}
const Sending = z.object({
  id: Id,
  sentOn: Day,
  to: z.string(),
  channel: SendingChannel,
  note: z.string(),
  by: z.string(),
})
export const NewSending = z.strictObject({
  sentOn: Day,
  to: Text,
  channel: SendingChannel,
  note: z.string().trim().max(500).default(''),
})
const File = z.object({ name: z.string(), size: z.int() })

export const RegulatoryExport = z.object({
  id: Id,
  kind: RegulatoryKind,
  period: z.string(),
  number: z.int(),
  rows: z.int(),
  file: File,
  paper: File.nullable(),
  madeBy: z.string(),
  madeAt: Instant,
  sendings: z.array(Sending),
})
export type RegulatoryExport = z.infer<typeof RegulatoryExport>

/** What a list would say today beside its last version. */
export const RegulatoryPreview = z.object({
  kind: RegulatoryKind,
  rows: z.int(),
  /** Null where none was made yet. */
  changed: z.boolean().nullable(),
  /** What its reader would miss, in words. */
  missing: z.array(z.string()),
})
export type RegulatoryPreview = z.infer<typeof RegulatoryPreview>

export const RegulatoryObligation = z.object({
  key: z.string(),
  label: z.string(),
  detail: z.string(),
  dueOn: Day,
  state: z.enum(['done', 'late', 'soon', 'later']),
  doneOn: Day.nullable(),
  /** Who said so; empty where a sending says it. */
  by: z.string(),
  note: z.string(),
  /** The version that settles it, where one does. */
  make: z.object({ operationId: Id, kind: RegulatoryKind, period: z.string() }).nullable(),
})
export type RegulatoryObligation = z.infer<typeof RegulatoryObligation>

const params = z.object({ id: Id })
const readAccess = { permission: 'declarations.read' } as const
const writeAccess = { permission: 'declarations.write' } as const

export const regulatory = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/regulatory',
    access: readAccess,
    summary: 'Lister les exports réglementaires',
    query: z.object({ operationId: Id }),
    response: z.object({ items: z.array(RegulatoryExport), offers: z.array(RegulatoryPreview) }),
  }),
  make: defineEndpoint({
    method: 'POST',
    path: '/api/regulatory',
    access: writeAccess,
    summary: 'Établir un export réglementaire',
    body: z.strictObject({ operationId: Id, kind: RegulatoryKind, period: RegulatoryPeriod.default('') }),
    response: RegulatoryExport.extend({ already: z.boolean() }),
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/regulatory/:id/file',
    access: readAccess,
    summary: 'Télécharger un export réglementaire',
    params,
    query: z.object({ part: z.enum(['table', 'paper']).default('table') }),
    response: { file: 'application/octet-stream' },
  }),
  send: defineEndpoint({
    method: 'POST',
    path: '/api/regulatory/:id/sendings',
    access: writeAccess,
    summary: 'Noter l’envoi d’un export réglementaire',
    params,
    body: NewSending,
    response: RegulatoryExport,
  }),
  duties: defineEndpoint({
    method: 'GET',
    path: '/api/regulatory/duties',
    access: readAccess,
    summary: 'Lire le calendrier des obligations',
    query: z.object({ year: z.coerce.number().int().min(2020).max(2100) }),
    response: z.object({ items: z.array(RegulatoryObligation) }),
  }),
  mark: defineEndpoint({
    method: 'POST',
    path: '/api/regulatory/duties',
    access: writeAccess,
    summary: 'Noter qu’une obligation est remplie',
    body: z.strictObject({
      key: z.string().min(1).max(200),
      doneOn: Day,
      note: z.string().trim().max(500).default(''),
    }),
    response: RegulatoryObligation,
  }),
  unmark: defineEndpoint({
    method: 'DELETE',
    path: '/api/regulatory/duties/:key',
    access: writeAccess,
    summary: 'Rouvrir une obligation',
    params: z.object({ key: z.string().min(1).max(200) }),
    response: SuccessReply,
  }),
}

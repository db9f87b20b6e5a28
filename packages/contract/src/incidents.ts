import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { ALL_INCIDENT_STATES, INCIDENT_SEVERITY_LABELS, STATUS_PARTS } from './incident-states.ts'
import { Email, Id, Instant, Text, Version } from './primitives.ts'

const getKeys = <K extends string>(words: Record<K, string>) => Object.keys(words) as [K, ...K[]] // Object.keys forgets them

export const StatusPart = z.enum(getKeys(STATUS_PARTS))
export const IncidentSeverity = z.enum(getKeys(INCIDENT_SEVERITY_LABELS))
export const IncidentState = z.enum(getKeys(ALL_INCIDENT_STATES))
export type IncidentState = z.infer<typeof IncidentState>

const Message = z.string().trim().min(10, 'Quelques mots de plus\u00a0: dix caractères au moins.').max(4000)
const Parts = z.array(StatusPart).min(1, 'Cochez au moins une partie du service.').max(10)

const IncidentUpdate = z.object({ id: Id, at: Instant, state: IncidentState, message: z.string() })

export const Incident = z.object({
  id: Id,
  kind: z.enum(['incident', 'maintenance']),
  title: z.string(),
  parts: z.array(StatusPart),
  /** Null for a maintenance. */
  severity: IncidentSeverity.nullable(),
  /** A maintenance whose hour has come is ongoing, whether or not somebody said so; its end is always said. */
  state: IncidentState,
  startsAt: Instant,
  /** The announced end of a maintenance. */
  endsAt: Instant.nullable(),
  closedAt: Instant.nullable(),
  /** The latest first. */
  updates: z.array(IncidentUpdate),
  version: z.int(),
})
export type Incident = z.infer<typeof Incident>

export const NewIncident = z.strictObject({
  title: Text,
  parts: Parts,
  severity: IncidentSeverity,
  state: z.enum(['investigating', 'identified', 'monitoring']),
  message: Message,
})
export const NewMaintenance = z.strictObject({
  title: Text,
  parts: Parts,
  startsAt: Instant,
  endsAt: Instant,
  message: Message,
})
export const IncidentNews = z.strictObject({
  state: IncidentState,
  message: Message,
  /** Of a maintenance that has not begun: its new window. */
  startsAt: Instant.optional(),
  endsAt: Instant.optional(),
  version: Version,
})

const MessageReply = z.object({ success: z.literal(true), message: z.string() })
const readAccess = { permission: 'installation.read' } as const
const writeAccess = { permission: 'installation.write' } as const

export const incidents = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/installation/incidents',
    access: readAccess,
    summary: 'Lister les incidents et les maintenances',
    response: z.object({
      items: z.array(Incident),
      /** How many addresses are told of the next news. */
      subscribers: z.int(),
    }),
  }),
  open: defineEndpoint({
    method: 'POST',
    path: '/api/installation/incidents',
    access: writeAccess,
    summary: 'Ouvrir un incident',
    body: NewIncident,
    response: Incident,
  }),
  plan: defineEndpoint({
    method: 'POST',
    path: '/api/installation/maintenances',
    access: writeAccess,
    summary: 'Annoncer une maintenance',
    body: NewMaintenance,
    response: Incident,
  }),
  tell: defineEndpoint({
    method: 'POST',
    path: '/api/installation/incidents/:id/updates',
    access: writeAccess,
    summary: 'Publier une nouvelle d’un incident',
    params: z.object({ id: Id }),
    body: IncidentNews,
    response: Incident,
  }),
  subscribe: defineEndpoint({
    method: 'POST',
    path: '/api/status/subscription',
    access: 'public',
    summary: 'S’abonner à l’état du service',
    /** A person leaves `website` empty; a script that fills every field gives itself away. */
    body: z.strictObject({ email: Email, website: z.string().max(200).default('') }),
    response: MessageReply,
  }),
  decide: defineEndpoint({
    method: 'POST',
    path: '/api/status/subscription/choice',
    access: 'public',
    summary: 'Confirmer ou quitter les avis d’état du service',
    /** The key is the one of the link that was mailed. */
    body: z.strictObject({ key: z.string().min(20).max(400), choice: z.enum(['confirm', 'leave']) }),
    response: MessageReply,
  }),
}

import { api } from '@voisol/contract'
import type { Access } from '@voisol/contract/access'
import { type Endpoint, isRepeatable } from '@voisol/contract/endpoint'
import { ERRORS, type ErrorCode, Problem } from '@voisol/contract/errors'
import { EVENTS } from '@voisol/contract/events'
import { PERMISSION_LABELS } from '@voisol/contract/permission-labels'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@voisol/contract/webhooks'
import { z } from 'zod'
import { VERSION } from '../version.ts'

/** French names of the features, in the order of the reference. */
const API_TAGS: Record<keyof typeof api, string> = {
  auth: 'Authentification',
  passkeys: 'Clés d’accès',
  users: 'Utilisateurs',
  roles: 'Rôles',
  apiKeys: 'Clés d’API',
  sso: 'Connexion d’entreprise',
  companies: 'Organisations',
  whiteLabel: 'Marque blanche',
  mails: 'Messages du produit',
  profile: 'Profil',
  notifications: 'Notifications',
  backups: 'Copies',
  health: 'Santé de l’installation',
  flows: 'Flux d’événements',
  audit: 'Journal d’audit',
  status: 'État du service',
  operations: 'Opérations',
  participants: 'Participants',
  holders: 'Cotitulaires',
  points: 'Points de livraison',
  participations: 'Participations',
  consents: 'Consentements',
  communes: 'Communes',
  keys: 'Clés de répartition',
  curves: 'Courbes de charge',
  allocations: 'Calculs de répartition',
  effects: 'Effets d’un changement',
  energy: 'Énergie',
  analytics: 'Analyses',
  plants: 'Économie des installations',
  why: 'Explication d’un chiffre',
  forecasts: 'Prévisions',
  reconciliation: 'Rapprochement avec le distributeur',
  enedis: 'Distributeur',
  sync: 'Synchronisation avec le distributeur',
  distributorFiles: 'Fichiers du distributeur',
  billing: 'Clôture des mois',
  corrections: 'Régularisations',
  statements: 'Relevés des producteurs',
  takeovers: 'Reprise d’une opération',
  reports: 'Rapports',
  subscription: 'Abonnement',
  usage: 'Utilisation',
  support: 'Demandes de support',
  supportDesk: 'Bureau du support',
  visits: 'Visites du portail',
  closure: 'Fermeture d’un compte',
  joining: 'Rejoindre une opération',
  joiningDesk: 'Entrées et départs',
  portalManagement: 'Gestion du portail',
  messages: 'Messages aux participants',
  regulatory: 'Exports réglementaires et obligations',
  payments: 'Paiements',
  reminders: 'Relances',
  payouts: 'Reversements',
  online: 'Paiement en ligne',
  supplierBills: 'Factures des fournisseurs',
  books: 'Comptabilité',
  declarations: 'Déclarations',
  settings: 'Réglages légaux',
  parties: 'Vendeurs et acheteurs',
  projects: 'Projets',
  tariffs: 'Tarifs',
  documents: 'Documents',
  invoices: 'Factures',
  content: 'Contenus du site',
  search: 'Recherche',
  legal: 'Mentions légales',
  seo: 'Référencement',
  bookings: 'Démonstrations',
  requests: 'Demandes',
  simulator: 'Simulateur',
  apiDocs: 'Documentation',
  webhooks: 'Webhooks',
  connections: 'Connexions',
  feed: 'Flux décisionnel',
  exports: 'Exports de données',
  ownFeed: 'Ses propres chiffres',
  mandates: 'Mandats de prélèvement',
  debits: 'Prélèvements',
  bank: 'Banque',
  lots: 'Charges par lot',
  assembly: 'Dossier d’assemblée',
  insights: 'Constats',
  gateway: 'Passerelle',
  incidents: 'Incidents et maintenances',
  erasure: 'Effacement d’une personne',
  onboarding: 'Premiers pas',
  retention: 'Vie des données',
}

const buildParameters = (schema: z.ZodObject | undefined, place: 'path' | 'query') => {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties).map((name) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: toJsonSchema(schema.shape[name], 'input'),
  }))
}

const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Rejouer la demande avec la même clé rend la première réponse, sans second effet.',
  schema: { type: 'string', minLength: 8, maxLength: 100 },
}

const PROBLEMS: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'Unauthenticated',
  forbidden: 'Forbidden',
  'not-found': 'NotFound',
  invalid: 'Invalid',
  throttled: 'Throttled',
}

function listProblemResponses(e: Endpoint) {
  const codes: ErrorCode[] = []
  if (e.access !== 'public' || e.path.startsWith('/api/auth/')) codes.push('unauthenticated')
  if (typeof e.access === 'object' || e.method !== 'GET') codes.push('forbidden')
  if (e.params) codes.push('not-found')
  if (e.body || e.query || isRepeatable(e)) codes.push('invalid')
  if (e.access === 'public') codes.push('throttled')
  return Object.fromEntries(
    codes.map((code) => [ERRORS[code][0], { $ref: `#/components/responses/${PROBLEMS[code]}` }]),
  )
}

const buildReplySchema = ({ response }: Endpoint) =>
  response instanceof z.ZodType
    ? { description: 'Réponse', content: { 'application/json': { schema: toJsonSchema(response, 'output') } } }
    : { description: 'Fichier', content: { [response.file]: { schema: { type: 'string', format: 'binary' } } } }

/** Who may call, as a French sentence. */
export function describeAccess(access: Access): string {
  if (access === 'public') return 'Ouvert à tous.'
  if (access === 'signed-in') return 'Réservé aux personnes connectées.'
  if (!access.permission) return 'Réservé aux clients, pour ce qui est à eux.'
  const label = PERMISSION_LABELS[access.permission]
  const right = `Droit nécessaire\u00a0: «\u00a0${label}\u00a0» (${access.permission})`
  return access.portal ? `${right}, ou l’espace client pour ce qui est à soi.` : `${right}.`
}

const buildOperation = (e: Endpoint, tag: string, id: string) => ({
  operationId: id,
  tags: [tag],
  summary: e.summary,
  description: describeAccess(e.access),
  security: e.access === 'public' ? [] : [{ bearer: [] }, { cookie: [] }],
  parameters: [
    ...buildParameters(e.params, 'path'),
    ...buildParameters(e.query, 'query'),
    ...(isRepeatable(e) ? [IDEMPOTENCY] : []),
  ],
  ...(e.body && {
    requestBody: {
      required: !e.body.safeParse(undefined).success,
      content: { 'application/json': { schema: toJsonSchema(e.body, 'input') } },
    },
  }),
  ...(e.upload && {
    requestBody: {
      required: true,
      content: {
        [e.signed ? 'application/json' : 'application/octet-stream']: { schema: { type: 'string', format: 'binary' } },
      },
    },
  }),
  responses: { 200: buildReplySchema(e), ...listProblemResponses(e) },
})

function buildPaths() {
  const found: Record<string, Record<string, unknown>> = {}
  for (const [feature, endpoints] of Object.entries(api))
    for (const [name, e] of Object.entries<Endpoint>(endpoints)) {
      const path = e.path.replace(/:(\w+)/g, '{$1}')
      const tag = API_TAGS[feature as keyof typeof api] // entries() loses the key type
      found[path] = { ...found[path], [e.method.toLowerCase()]: buildOperation(e, tag, `${feature}.${name}`) }
    }
  return found
}

const buildProblemResponses = () =>
  Object.fromEntries(
    Object.entries(PROBLEMS).map(([code, name]) => [
      name,
      {
        description: ERRORS[code as ErrorCode][1], // entries() loses the key type
        ...(code === 'throttled' && {
          headers: { 'Retry-After': { description: 'Secondes à attendre', schema: { type: 'integer' } } },
        }),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )

/** OpenAPI 3.1 of every endpoint of the contract. */
export const buildOpenApi = (publicUrl: string | undefined) => ({
  openapi: '3.1.1',
  info: {
    title: 'API Voisol',
    version: VERSION,
    description:
      'L’interface de programmation de Voisol, plateforme d’autoconsommation collective. ' +
      'Les erreurs suivent la RFC 9457 (application/problem+json), avec un message en français.',
    license: { name: 'EUPL-1.2', identifier: 'EUPL-1.2' },
  },
  servers: [{ url: publicUrl?.replace(/\/$/, '') ?? '/' }],
  tags: Object.values(API_TAGS).map((name) => ({ name })),
  paths: buildPaths(),
  webhooks: buildOpenApiWebhooks(),
  components: {
    schemas: { Problem: toJsonSchema(Problem, 'output') },
    responses: buildProblemResponses(),
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'Jeton rendu par la connexion, ou clé d’API (vsl_…)' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'token', description: 'Le même jeton, posé par le navigateur' },
    },
  },
})

const OCCURRED = '2026-05-19T06:12:31.000Z'
const DELIVERY = 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f'
const FIRST_SEQUENCE = 1284

/** The whole message of an event: its envelope is the same for all. */
export function buildMessageSchema(name: WebhookEvent): JsonSchema {
  const message = z.object({
    id: z.uuid(),
    event: z.literal(name),
    sequence: z.int().nullable(),
    occurredAt: z.iso.datetime(),
    data: EVENTS[name].data,
  })
  return toJsonSchema(message, 'output')
}

export const buildMessageSample = (name: WebhookEvent) => ({
  id: DELIVERY,
  event: name,
  sequence: FIRST_SEQUENCE + WEBHOOK_EVENTS.indexOf(name),
  occurredAt: OCCURRED,
  data: EVENTS[name].sample,
})

const buildHeaderParameter = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})
/** Headers of Standard Webhooks. */
const HEADERS = [
  buildHeaderParameter('webhook-id', 'Identifiant de l’envoi, le même à chaque répétition.'),
  buildHeaderParameter('webhook-timestamp', 'Instant de l’envoi, en secondes depuis 1970.'),
  buildHeaderParameter(
    'webhook-signature',
    '«\u00a0v1,\u00a0» puis HMAC-SHA256 de id.instant.corps en base64\u00a0; une par secret.',
  ),
]

/** The `webhooks` part of OpenAPI 3.1, which describes what is sent. */
const buildOpenApiWebhooks = () =>
  Object.fromEntries(
    WEBHOOK_EVENTS.map((name) => [
      name,
      {
        post: {
          operationId: `webhook.${name}`,
          tags: ['Webhooks'],
          summary: EVENTS[name].label,
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: buildMessageSchema(name), example: buildMessageSample(name) } },
          },
          responses: {
            '2XX': { description: 'Reçu.' },
            410: { description: 'Cette adresse n’existe plus\u00a0: le webhook est arrêté.' },
          },
        },
      },
    ]),
  )

export type JsonSchema = Record<string, unknown>

/** The OpenAPI form of a schema. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The bounds of safe integers say nothing about the field.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return json
}

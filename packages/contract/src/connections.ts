import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Id, Instant, ListQuery, SuccessReply, Text, Version } from './primitives.ts'

/** What a connector can do. */
const Ability = z.enum(['deliver', 'fetch', 'mail', 'feed'])
export const ConnectorField = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string(),
  /** `choices` holds several values, separated by commas; `secret` is never shown again. */
  type: z.enum(['text', 'long', 'number', 'choice', 'choices', 'secret', 'long-secret']),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  optional: z.boolean(),
  initial: z.string(),
})
export type ConnectorField = z.infer<typeof ConnectorField>
export const Connector = z.object({
  kind: z.string(),
  label: z.string(),
  about: z.string(),
  can: z.array(Ability),
  fields: z.array(ConnectorField),
})
export type Connector = z.infer<typeof Connector>
/** What can be sent through a connection that delivers. */
export const Shipment = z.object({ id: z.string(), label: z.string(), about: z.string() })

export const Schedule = z.enum(['none', 'six-hours', 'night', 'week', 'month'])
export type Schedule = z.infer<typeof Schedule>
const ConnectionRunState = z.enum(['running', 'done', 'failed'])
export const ConnectionRun = z.object({
  id: Id,
  state: ConnectionRunState,
  askedBy: z.string(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  files: z.int(),
  bytes: z.int(),
  failure: z.string(),
})
export type ConnectionRun = z.infer<typeof ConnectionRun>
const ConnectionStep = z.object({
  id: Id,
  at: Instant,
  text: z.string(),
  milliseconds: z.int(),
  bytes: z.int(),
})
export const Connection = z.object({
  id: Id,
  kind: z.string(),
  name: z.string(),
  /** Without the secrets: `held` lists the names of those that are stored. */
  settings: z.record(z.string(), z.string()),
  held: z.array(z.string()),
  can: z.array(Ability),
  /** `stopped`: stopped automatically, after repeated failures or a failure that no retry can solve. */
  state: z.enum(['active', 'paused', 'stopped']),
  /** What is wrong and what to do; empty if nothing. */
  trouble: z.string(),
  schedule: Schedule,
  shipments: z.array(z.string()),
  /** The SSH host key by which the server is recognised. */
  hostKey: z.string(),
  /** Another host key that the server presented since, not yet accepted by anyone. */
  offeredKey: z.string(),
  /** For a feed: the API key that opens it. */
  apiKey: z.object({ id: Id, prefix: z.string(), lastUsedAt: Instant.nullable() }).nullable(),
  lastRun: ConnectionRun.nullable(),
  nextRunAt: Instant.nullable(),
  createdAt: Instant,
  version: Version,
})
export type Connection = z.infer<typeof Connection>

/** The result of testing the remote system. */
export const ConnectionTest = z.object({
  ok: z.boolean(),
  /** What is wrong and what to do, or that it works. */
  message: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string(), ok: z.boolean() })),
  hostKey: z.string(),
})
export type ConnectionTest = z.infer<typeof ConnectionTest>

const settingValues = z
  .record(z.string().max(40), z.string().max(20_000))
  .refine((all) => Object.keys(all).length <= 30)
const connectionFields = {
  name: Text.max(60),
  /** A secret left empty stays unchanged. */
  settings: settingValues,
  schedule: Schedule.default('none'),
  shipments: z.array(z.string().max(40)).max(20).default([]),
  /** Save even if the test fails: the connection is paused, with the fault. */
  anyway: z.boolean().default(false),
}
export const NewConnection = z.strictObject({ kind: z.string().max(20), ...connectionFields })
export const ConnectionChange = z.strictObject({ ...connectionFields, version: Version })
const ConnectionCheck = z.strictObject({ kind: z.string().max(20), settings: settingValues, id: Id.optional() })
const params = z.object({ id: Id })
const readAccess = { permission: 'connections.read' } as const
const writeAccess = { permission: 'connections.write' } as const

export const connections = {
  kinds: defineEndpoint({
    method: 'GET',
    path: '/api/connections/kinds',
    access: readAccess,
    summary: 'Lire les sortes de connexions',
    response: z.object({ kinds: z.array(Connector), shipments: z.array(Shipment) }),
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/connections',
    access: readAccess,
    summary: 'Lister les connexions',
    query: ListQuery,
    response: buildPageSchema(Connection),
  }),
  check: defineEndpoint({
    method: 'POST',
    path: '/api/connections/check',
    access: writeAccess,
    summary: 'Essayer une connexion',
    body: ConnectionCheck,
    response: ConnectionTest,
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/connections',
    access: writeAccess,
    summary: 'Créer une connexion',
    body: NewConnection,
    /** Only this answer contains the token of a feed. */
    response: Connection.extend({ token: z.string().nullable() }),
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/connections/:id',
    access: writeAccess,
    summary: 'Modifier une connexion',
    params,
    body: ConnectionChange,
    response: Connection,
  }),
  move: defineEndpoint({
    method: 'POST',
    path: '/api/connections/:id/status',
    access: writeAccess,
    summary: 'Suspendre ou reprendre une connexion',
    params,
    body: z.strictObject({ state: z.enum(['active', 'paused']) }),
    response: Connection,
  }),
  acceptKey: defineEndpoint({
    method: 'POST',
    path: '/api/connections/:id/host-key',
    access: writeAccess,
    summary: 'Accepter la nouvelle clé d’un serveur',
    params,
    body: z.strictObject({ fingerprint: z.string().max(100) }),
    response: Connection,
  }),
  start: defineEndpoint({
    method: 'POST',
    path: '/api/connections/:id/run',
    access: writeAccess,
    summary: 'Lancer une connexion',
    params,
    response: SuccessReply,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/connections/:id',
    access: writeAccess,
    summary: 'Supprimer une connexion',
    params,
    response: SuccessReply,
  }),
  runs: defineEndpoint({
    method: 'GET',
    path: '/api/connections/:id/runs',
    access: readAccess,
    summary: 'Lister les passages d’une connexion',
    params,
    query: ListQuery,
    response: buildPageSchema(ConnectionRun),
  }),
  run: defineEndpoint({
    method: 'GET',
    path: '/api/connections/:id/runs/:runId',
    access: readAccess,
    summary: 'Lire le journal d’un passage',
    params: params.extend({ runId: Id }),
    response: z.object({ run: ConnectionRun, steps: z.array(ConnectionStep) }),
  }),
}

import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Direction, Id, Instant, Prm, SuccessReply, Version } from './primitives.ts'

/** Where calls go: the simulator shipped with the product, the distributor's test environment, or production. */
export const EnedisEnvironment = z.enum(['local', 'sandbox', 'production'])
export type EnedisEnvironment = z.infer<typeof EnedisEnvironment>
/** Which interface provides the measures; agreements always come from the collective self-consumption interface. */
export const EnedisBackend = z.enum(['dataconnect-v2', 'dataconnect-v1', 'holder'])
export type EnedisBackend = z.infer<typeof EnedisBackend>

const Gauge = z.object({ used: z.int(), limit: z.int() })

export const EnedisCredential = z.object({
  id: Id,
  /** Null: for every operation that has no credentials of its own. */
  operationId: Id.nullable(),
  operationName: z.string(),
  environment: EnedisEnvironment,
  backend: EnedisBackend,
  /** The last characters of the client id, to recognise it. */
  hint: z.string(),
  testedAt: Instant.nullable(),
  testOk: z.boolean(),
  testMessage: z.string(),
  circuit: z.enum(['closed', 'open', 'half-open']),
  /** No call is made before. */
  pausedUntil: Instant.nullable(),
  /**
   * Why calls are paused: the distributor asked to wait, fails, or refuses many points at once; null when not paused.
   */
  pauseCause: z.enum(['told', 'failures', 'refusals']).nullable(),
  quotas: z.object({ second: Gauge, hour: Gauge }),
  lastSyncAt: Instant.nullable(),
  nextSyncAt: Instant.nullable(),
  version: z.int(),
})
export type EnedisCredential = z.infer<typeof EnedisCredential>

export const CredentialDraft = z.strictObject({
  operationId: Id.nullable().default(null),
  environment: EnedisEnvironment,
  backend: EnedisBackend.default('dataconnect-v2'),
  clientId: z.string().trim().min(1).max(200),
  clientSecret: z.string().trim().min(1).max(400),
})

/** A call to the distributor. */
export const EnedisCall = z.object({
  id: z.string(),
  label: z.string(),
  method: z.string(),
  path: z.string(),
  backend: z.string(),
  params: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      example: z.string(),
      required: z.boolean(),
      kind: z.enum(['prm', 'acc', 'day', 'text']),
    }),
  ),
  notes: z.array(z.string()),
  example: z.string(),
})
export type EnedisCall = z.infer<typeof EnedisCall>
export const EnedisFault = z.object({
  code: z.string(),
  status: z.int().nullable(),
  message: z.string(),
  /** What it means, and what to do, in French. */
  explanation: z.string(),
  remedy: z.string(),
  nature: z.enum(['quota', 'auth', 'consent', 'no-data', 'request', 'transient', 'answer']),
})
export type EnedisFault = z.infer<typeof EnedisFault>

export const EnedisTrace = z.object({
  request: z.string(),
  status: z.int().nullable(),
  milliseconds: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** Hash under which the whole answer is archived; null where there was none. */
  sha256: z.string().nullable(),
  fault: EnedisFault.nullable(),
})
export type EnedisTrace = z.infer<typeof EnedisTrace>

export const SeriesType = z.enum(['cons', 'prod', 'autocons', 'surplus', 'complement'])
export type SeriesType = z.infer<typeof SeriesType>
export const AgreementPoint = z.object({
  prm: z.string(),
  role: z.enum(['cons', 'prod']),
  startsOn: Day.nullable(),
  endsOn: Day.nullable(),
  /** The matching point here. */
  pointId: Id.nullable(),
  label: z.string(),
})
export const AgreementSeries = z.object({
  prm: z.string().nullable(),
  type: SeriesType,
  step: z.int(),
  startsAt: Instant,
  watts: z.array(z.number().nullable()),
  energyWh: z.number(),
})

const idParams = z.object({ id: Id })
const accParams = z.object({ acc: z.string().regex(/^ACC\d{8}$/, 'Numéro attendu, par exemple ACC00000537.') })
const credentialQuery = { credentialId: Id.optional() }

export const enedis = {
  overview: defineEndpoint({
    method: 'GET',
    path: '/api/enedis/overview',
    access: { permission: 'enedis.read' },
    summary: 'Vue d’ensemble du distributeur',
    response: z.object({
      credentials: z.array(EnedisCredential),
      points: z.int(),
      /** Points of running operations: with a consent, with one that ends soon, without one. */
      consents: z.object({ active: z.int(), expiring: z.int(), lost: z.int() }),
      openErrors: z.int(),
      runningTasks: z.int(),
      receivedUntil: Day.nullable(),
      sandboxUrl: z.string().nullable(),
    }),
  }),
  save: defineEndpoint({
    method: 'POST',
    path: '/api/enedis/credentials',
    access: { permission: 'enedis.write' },
    summary: 'Enregistrer des identifiants du distributeur',
    body: CredentialDraft,
    response: EnedisCredential,
  }),
  replace: defineEndpoint({
    method: 'PUT',
    path: '/api/enedis/credentials/:id',
    access: { permission: 'enedis.write' },
    summary: 'Remplacer des identifiants du distributeur',
    params: idParams,
    body: CredentialDraft.omit({ operationId: true }).extend({ version: Version }),
    response: EnedisCredential,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/enedis/credentials/:id',
    access: { permission: 'enedis.write' },
    summary: 'Retirer des identifiants du distributeur',
    params: idParams,
    response: SuccessReply,
  }),
  test: defineEndpoint({
    method: 'POST',
    path: '/api/enedis/credentials/:id/test',
    access: { permission: 'enedis.write' },
    summary: 'Tester la connexion au distributeur',
    params: idParams,
    response: EnedisCredential,
  }),
  /** A raw answer, by its hash. */
  answer: defineEndpoint({
    method: 'GET',
    path: '/api/enedis/answers/:sha256',
    access: { permission: 'enedis.read' },
    summary: 'Télécharger une réponse du distributeur',
    params: z.object({
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'Empreinte attendue\u00a0: 64 caractères hexadécimaux.'),
    }),
    response: { file: 'application/json' },
  }),
  calls: defineEndpoint({
    method: 'GET',
    path: '/api/enedis/calls',
    access: { permission: 'enedis.read' },
    summary: 'Lister les appels du distributeur',
    response: z.object({ calls: z.array(EnedisCall), faults: z.array(EnedisFault) }),
  }),
  run: defineEndpoint({
    method: 'POST',
    path: '/api/enedis/run',
    access: { permission: 'enedis.write' },
    summary: 'Lancer un appel du distributeur à la main',
    body: z.strictObject({
      /** Without one, the simulator shipped with the product. */
      credentialId: Id.optional(),
      call: z.string().max(60),
      params: z.record(z.string().max(40), z.string().max(100)).default({}),
    }),
    response: EnedisTrace,
    audit: 'none',
  }),
  agreements: defineEndpoint({
    method: 'GET',
    path: '/api/enedis/agreements',
    access: { permission: 'enedis.read' },
    summary: 'Lister les conventions chez le distributeur',
    query: z.object(credentialQuery),
    response: z.object({
      items: z.array(
        z.object({
          acc: z.string(),
          name: z.string(),
          operationId: Id.nullable(),
          startsOn: Day.nullable(),
          endsOn: Day.nullable(),
        }),
      ),
      trace: EnedisTrace,
    }),
  }),
  agreement: defineEndpoint({
    method: 'GET',
    path: '/api/enedis/agreements/:acc',
    access: { permission: 'enedis.read' },
    summary: 'Lire le périmètre d’une convention',
    params: accParams,
    query: z.object(credentialQuery),
    response: z.object({ points: z.array(AgreementPoint), trace: EnedisTrace }),
  }),
  series: defineEndpoint({
    method: 'GET',
    path: '/api/enedis/agreements/:acc/series',
    access: { permission: 'enedis.read' },
    summary: 'Lire les séries d’une convention',
    params: accParams,
    query: z.object({ ...credentialQuery, from: Day, to: Day, type: SeriesType, prm: Prm.optional() }),
    response: z.object({ series: z.array(AgreementSeries), trace: EnedisTrace }),
  }),
  quantities: defineEndpoint({
    method: 'GET',
    path: '/api/enedis/agreements/:acc/quantities',
    access: { permission: 'enedis.read' },
    summary: 'Lire les quantités définitives d’un point',
    params: accParams,
    query: z.object({ ...credentialQuery, from: Day, to: Day, prm: Prm, direction: Direction }),
    response: z.object({
      rows: z.array(z.object({ type: SeriesType, calendar: z.string(), name: z.string(), kwh: z.number() })),
      trace: EnedisTrace,
    }),
  }),
}

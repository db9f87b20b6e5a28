import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import {
  AllocationMethod,
  Day,
  Flag,
  Gap,
  Id,
  IMPACT_PREVIEW_FIELDS,
  Instant,
  OptionalText,
  Period,
  SuccessReply,
  Version,
  WattMinutes,
} from './primitives.ts'

export const KeyStatus = z.enum(['draft', 'adopted'])

/** `share` in millionths; with `producerId` it is a share of that producer's output. */
export const KeyShare = z.strictObject({
  pointId: Id,
  producerId: Id.nullable().default(null),
  share: z.int().min(0).max(1_000_000).nullable().default(null),
  rank: z.int().min(1).max(1000).nullable().default(null),
})
export const KeyProblem = z.object({ severity: z.enum(['refused', 'warning']), message: z.string() })

export const Key = z.object({
  id: Id,
  operationId: Id,
  number: z.int(),
  method: AllocationMethod,
  label: z.string(),
  status: KeyStatus,
  startsOn: Day,
  /** The day the next adopted version begins. */
  endsOn: Day.nullable(),
  inForce: z.boolean(),
  decimals: z.int(),
  /** Used by a definitive run: it can no longer be changed. */
  locked: z.boolean(),
  /** Millionths, of the shares that hold for the pool. */
  sum: z.int().nullable(),
  /** Days that have coefficients step by step. */
  coefficientDays: z.object({ from: Day, to: Day, days: z.int() }).nullable(),
  createdAt: Instant,
  version: z.int(),
})
export type Key = z.infer<typeof Key>

export const KeyDetail = Key.extend({
  shares: z.array(KeyShare),
  problems: z.array(KeyProblem),
  /** Of a key of files, what they leave to the default rule over the days that are over or that they reach. */
  uncovered: z.object({ from: Day, to: Day, days: z.int(), steps: z.int(), gaps: z.array(Gap) }).nullable(),
})
export type KeyDetail = z.infer<typeof KeyDetail>

/** The most a file of coefficients may weigh. */
export const MAX_COEFFICIENT_BYTES = 20_000_000

const keyFields = {
  method: AllocationMethod,
  label: OptionalText,
  startsOn: Day,
  decimals: z.int().min(0).max(4),
  shares: z.array(KeyShare).max(20_000),
}
export const KeyDraft = z.strictObject({
  ...keyFields,
  label: OptionalText.default(''),
  decimals: keyFields.decimals.default(1),
})
export const KeyUpdate = z.strictObject({ ...keyFields, version: Version })
export const KeyAdoption = z.strictObject({ version: Version })

export const MethodResult = z.object({
  /** A method, or a version of the key that is not yet in force. */
  method: AllocationMethod,
  keyId: Id.nullable(),
  label: z.string(),
  /** With which it was tried, where they are no version's own: the key made of them gives these very figures. */
  shares: z.array(KeyShare),
  produced: WattMinutes,
  allocated: WattMinutes,
  surplus: WattMinutes,
  consumed: WattMinutes,
  selfConsumption: z.number().nullable(),
  selfProduction: z.number().nullable(),
  /** Spread of the coverage among consumers: 0 all alike, 1 one has all (Gini). */
  inequality: z.number().nullable(),
  /** A battery among them is there as it charges; the sums above leave it out. */
  consumers: z.array(
    z.object({
      pointId: Id,
      label: z.string(),
      storage: z.boolean().optional(),
      consumed: WattMinutes,
      allocated: WattMinutes,
    }),
  ),
})

const params = z.object({ id: Id })
const itemPath = '/api/keys/:id'

export const keys = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/keys',
    access: { permission: 'keys.read' },
    summary: 'Lister les clés de répartition',
    params,
    response: z.object({ items: z.array(Key) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/acc-operations/:id/keys',
    access: { permission: 'keys.write' },
    summary: 'Préparer une clé de répartition',
    params,
    body: KeyDraft,
    response: KeyDetail,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: itemPath,
    access: { permission: 'keys.read' },
    summary: 'Lire une clé de répartition',
    params,
    response: KeyDetail,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: itemPath,
    access: { permission: 'keys.write' },
    summary: 'Modifier une clé de répartition',
    params,
    body: KeyUpdate.extend(IMPACT_PREVIEW_FIELDS),
    response: KeyDetail,
  }),
  adopt: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/adopt`,
    access: { permission: 'keys.adopt' },
    summary: 'Adopter une clé de répartition',
    params,
    body: KeyAdoption.extend(IMPACT_PREVIEW_FIELDS),
    response: KeyDetail,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: itemPath,
    access: { permission: 'keys.write' },
    summary: 'Supprimer un brouillon de clé',
    params,
    response: SuccessReply,
  }),
  /** A file of the distributor's format: `<prm producteur>.csv`, or any other name for the pool. */
  importCoefficients: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/coefficients`,
    access: { permission: 'keys.write' },
    summary: 'Importer un fichier de coefficients',
    params,
    query: z.object({ name: z.string().min(1).max(200), dryRun: Flag, ...IMPACT_PREVIEW_FIELDS }),
    upload: MAX_COEFFICIENT_BYTES,
    response: z.object({
      producer: z.string().nullable(),
      consumers: z.int(),
      from: Day.nullable(),
      to: Day.nullable(),
      steps: z.int(),
      problems: z.array(z.object({ line: z.int(), message: z.string() })),
      stored: z.boolean(),
    }),
  }),
  /** Every method on the operation's own history, energies to the unit. */
  compare: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/comparison',
    access: { permission: 'keys.read' },
    summary: 'Comparer les méthodes de répartition',
    timeout: 120,
    params,
    query: Period,
    response: z.object({ from: Day, to: Day, steps: z.int(), excluded: z.int(), results: z.array(MethodResult) }),
  }),
}

import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import {
  buildPageSchema,
  Day,
  Direction,
  Gap,
  Id,
  Instant,
  ListQuery,
  TableFormat,
  TimeClass,
  WattMinutes,
} from './primitives.ts'

export const RunKind = z.enum(['provisional', 'definitive'])
/** What a provisional run may fill gaps with: the meter's own days, or beyond them the profile of the other members. */
export const EstimateBy = z.enum(['own', 'profile'])
const RunStatus = z.enum(['queued', 'running', 'done', 'failed'])

/** What batteries charged and released, with the local part of each: stored from production, allocated to consumers. */
const RunStorage = z.object({
  charged: WattMinutes,
  stored: WattMinutes,
  released: WattMinutes,
  restored: WattMinutes,
})
/**
 * Watt-minutes over the steps that were allocated; produced = allocated + surplus, exactly. Batteries count in neither:
 * with them it is produced + restored = allocated + stored + surplus.
 */
export const RunTotals = z.object({
  produced: WattMinutes,
  consumed: WattMinutes,
  allocated: WattMinutes,
  surplus: WattMinutes,
  complement: WattMinutes,
  /** Present where batteries take part. */
  storage: RunStorage.optional(),
})
export const RunCounts = z.object({
  steps: z.int(),
  /** Steps that could not be shared. */
  excluded: z.int(),
  /** Steps at which a consumer, or a producer, had no reading and took no part. */
  consumerMissing: z.int(),
  producerMissing: z.int(),
  noKey: z.int(),
  /** Steps without a coefficient in the key, where the default rule applied. */
  defaulted: z.int(),
  /** Steps whose reading was replaced by an estimate. */
  estimated: z.int(),
})

/** The reason a person gave for making a run definitive in spite of incomplete data. */
export const SignOff = z.object({
  reason: z.string(),
  by: z.string(),
  at: Instant,
  /** What was missing at that time, one sentence each. */
  missing: z.array(z.string()),
})

export const Run = z.object({
  id: Id,
  operationId: Id,
  from: Day,
  to: Day,
  kind: RunKind,
  status: RunStatus,
  estimated: z.boolean(),
  estimateBy: EstimateBy,
  progress: z.int(),
  message: z.string(),
  inputHash: z.string().nullable(),
  resultHash: z.string().nullable(),
  engineVersion: z.string(),
  keys: z.array(z.object({ id: Id, number: z.int(), method: z.string() })),
  counts: RunCounts.nullable(),
  totals: RunTotals.nullable(),
  signOff: SignOff.nullable(),
  staleAt: Instant.nullable(),
  staleReason: z.string(),
  /** Days for which the figures of this run are in force. */
  daysInForce: z.int(),
  createdBy: z.string(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
})
export type Run = z.infer<typeof Run>

/** Number of steps of a member by the origin of their figures. */
const MemberLevels = z.object({
  steps: z.int(),
  measured: z.int(),
  corrected: z.int(),
  /** Estimated by the distributor. */
  estimated: z.int(),
  /** Estimated here: from the meter's own past or later days, or by the profile of the other members. */
  own: z.int(),
  profile: z.int(),
  /** No figure: the member took no part. */
  missing: z.int(),
})
export const MemberCompleteness = MemberLevels.extend({
  pointId: Id,
  prm: z.string(),
  label: z.string(),
  holder: z.string(),
  direction: Direction,
  storage: z.boolean().optional(),
  gaps: z.array(Gap),
})
export type MemberCompleteness = z.infer<typeof MemberCompleteness>

const ByClass = z.partialRecord(TimeClass, z.object({ total: WattMinutes, local: WattMinutes }))
export const RunPoint = z.object({
  pointId: Id,
  prm: z.string(),
  label: z.string(),
  direction: Direction,
  storage: z.boolean().optional(),
  /** Consumed or injected, and the local part of it. */
  total: WattMinutes,
  local: WattMinutes,
  classes: ByClass,
})

export const SignOffReason = z
  .string()
  .trim()
  .min(10, 'Dites en quelques mots pourquoi ce calcul est arrêté sans ces données (10 caractères au moins).')
  .max(1000)

const params = z.object({ id: Id })
const itemPath = '/api/allocation-runs/:id'

export const allocations = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/allocation-runs',
    access: { permission: 'allocations.read' },
    summary: 'Lister les calculs de répartition',
    params,
    query: ListQuery.extend({ kind: RunKind.optional() }),
    response: buildPageSchema(Run),
  }),
  /** Starting the same run again on the same data returns the existing one. */
  start: defineEndpoint({
    method: 'POST',
    path: '/api/acc-operations/:id/allocation-runs',
    access: { permission: 'allocations.run' },
    summary: 'Lancer un calcul de répartition',
    params,
    body: z.strictObject({
      from: Day,
      to: Day,
      kind: RunKind,
      estimated: z.boolean().default(false),
      estimateBy: EstimateBy.default('own'),
      /** Required after an `incomplete` refusal: why the run is made although data are missing. */
      signOff: z.strictObject({ reason: SignOffReason }).optional(),
    }),
    response: Run,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: itemPath,
    access: { permission: 'allocations.read' },
    summary: 'Lire un calcul de répartition',
    params,
    response: Run,
  }),
  /** The origin of each member's figures, those with the most missing first; null for a run older than this record. */
  completeness: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/completeness`,
    access: { permission: 'allocations.read' },
    summary: 'Complétude des données d’un calcul',
    params,
    response: z.object({
      members: z.array(MemberCompleteness).nullable(),
      /** Days without a coefficient in the key. */
      uncovered: z.array(Gap),
    }),
  }),
  points: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/points`,
    access: { permission: 'allocations.read' },
    summary: 'Résultat par point et classe temporelle',
    params,
    response: z.object({ items: z.array(RunPoint) }),
  }),
  days: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/days`,
    access: { permission: 'allocations.read' },
    summary: 'Résultat par jour',
    params,
    response: z.object({ items: z.array(z.object({ day: Day, excluded: z.int(), ...RunTotals.shape })) }),
  }),
  /** Columns of one local day, watt-minutes per step; null where the step was excluded. */
  steps: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/days/:day`,
    access: { permission: 'allocations.read' },
    summary: 'Résultat par pas de temps',
    params: params.extend({ day: Day }),
    response: z.object({
      day: Day,
      startsAt: Instant,
      step: z.int(),
      points: z.array(
        z.object({
          pointId: Id,
          label: z.string(),
          direction: Direction,
          storage: z.boolean().optional(),
          total: z.array(z.number().nullable()),
          local: z.array(z.number().nullable()),
        }),
      ),
    }),
  }),
  pairs: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/pairs`,
    access: { permission: 'allocations.read' },
    summary: 'Énergie de chaque producteur vers chaque consommateur',
    params,
    response: z.object({
      items: z.array(
        z.object({
          producerId: Id,
          pointId: Id,
          energy: WattMinutes,
          classes: z.partialRecord(TimeClass, WattMinutes),
        }),
      ),
    }),
  }),
  /** Compared with the run that was in force before for the same days. */
  difference: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/difference`,
    access: { permission: 'allocations.read' },
    summary: 'Écart avec le calcul précédent',
    params,
    response: z.object({
      previous: Run.nullable(),
      items: z.array(
        z.object({
          pointId: Id,
          label: z.string(),
          direction: Direction,
          storage: z.boolean().optional(),
          before: WattMinutes,
          after: WattMinutes,
        }),
      ),
    }),
  }),
  /** Σ allocated + surplus = production, checked again on the stored figures. */
  proof: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/proof`,
    access: { permission: 'allocations.read' },
    summary: 'Preuve de conservation',
    timeout: 120,
    params,
    response: z.object({
      steps: z.int(),
      checked: z.int(),
      /** Steps where the sum does not hold. */
      broken: z.int(),
      above: z.int(),
      resultHash: z.string(),
      sameHash: z.boolean(),
      /** Steps before that day were deleted at the end of their retention: daily sums are checked instead. */
      retiredBefore: Day.nullable(),
    }),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/export`,
    access: { permission: 'allocations.read' },
    summary: 'Exporter un calcul de répartition',
    params,
    query: z.object({ level: z.enum(['points', 'days', 'pairs', 'steps']).default('points'), format: TableFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  /** One file per producer, in the distributor's format. */
  coefficients: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/coefficients/:producerId`,
    access: { permission: 'allocations.read' },
    summary: 'Fichier de coefficients d’un producteur',
    params: params.extend({ producerId: Id }),
    query: z.object({ decimals: z.coerce.number().int().min(0).max(4).default(1) }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
}

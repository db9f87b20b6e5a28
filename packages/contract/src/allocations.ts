import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ListQuery, page } from './list.ts'
import { Day, Direction, Id, Instant, TableFormat, TimeClass, WattMinutes } from './primitives.ts'

export const RunKind = z.enum(['provisional', 'definitive'])
export const RunStatus = z.enum(['queued', 'running', 'done', 'failed'])

/** Watt-minutes over the steps that were allocated; produced = allocated + surplus, exactly. */
export const RunTotals = z.object({
  produced: WattMinutes,
  consumed: WattMinutes,
  allocated: WattMinutes,
  surplus: WattMinutes,
  complement: WattMinutes,
})
export const RunCounts = z.object({
  steps: z.int(),
  excluded: z.int(),
  consumerMissing: z.int(),
  producerMissing: z.int(),
  noKey: z.int(),
  defaulted: z.int(),
  /** Readings that an estimate stands for. */
  estimated: z.int(),
})

export const Run = z.object({
  id: Id,
  operationId: Id,
  from: Day,
  to: Day,
  kind: RunKind,
  status: RunStatus,
  estimated: z.boolean(),
  progress: z.int(),
  message: z.string(),
  inputHash: z.string().nullable(),
  resultHash: z.string().nullable(),
  engineVersion: z.string(),
  keys: z.array(z.object({ id: Id, number: z.int(), method: z.string() })),
  counts: RunCounts.nullable(),
  totals: RunTotals.nullable(),
  staleAt: Instant.nullable(),
  staleReason: z.string(),
  /** Days for which this run's figures are the ones that hold. */
  daysInForce: z.int(),
  createdBy: z.string(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
})
export type Run = z.infer<typeof Run>

const ByClass = z.partialRecord(TimeClass, z.object({ total: WattMinutes, local: WattMinutes }))
export const RunPoint = z.object({
  pointId: Id,
  prm: z.string(),
  label: z.string(),
  direction: Direction,
  /** Drawn or injected, and the local part of it. */
  total: WattMinutes,
  local: WattMinutes,
  classes: ByClass,
})

const params = z.object({ id: Id })
const one = '/api/allocation-runs/:id'

export const allocations = {
  list: endpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/allocation-runs',
    access: { permission: 'allocations.read' },
    summary: 'Lister les calculs de répartition',
    params,
    query: ListQuery.extend({ kind: RunKind.optional() }),
    response: page(Run),
  }),
  /** The same run on the same data is the one that exists already. */
  start: endpoint({
    method: 'POST',
    path: '/api/acc-operations/:id/allocation-runs',
    access: { permission: 'allocations.run' },
    summary: 'Lancer un calcul de répartition',
    params,
    body: z.strictObject({ from: Day, to: Day, kind: RunKind, estimated: z.boolean().default(false) }),
    response: Run,
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    access: { permission: 'allocations.read' },
    summary: 'Lire un calcul de répartition',
    params,
    response: Run,
  }),
  points: endpoint({
    method: 'GET',
    path: `${one}/points`,
    access: { permission: 'allocations.read' },
    summary: 'Résultat par point et classe temporelle',
    params,
    response: z.object({ items: z.array(RunPoint) }),
  }),
  days: endpoint({
    method: 'GET',
    path: `${one}/days`,
    access: { permission: 'allocations.read' },
    summary: 'Résultat par jour',
    params,
    response: z.object({ items: z.array(z.object({ day: Day, excluded: z.int(), ...RunTotals.shape })) }),
  }),
  /** Columns of one local day, watt-minutes per step; null where the step was left out. */
  steps: endpoint({
    method: 'GET',
    path: `${one}/days/:day`,
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
          total: z.array(z.number().nullable()),
          local: z.array(z.number().nullable()),
        }),
      ),
    }),
  }),
  pairs: endpoint({
    method: 'GET',
    path: `${one}/pairs`,
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
  /** Against the run that held before for the same days. */
  difference: endpoint({
    method: 'GET',
    path: `${one}/difference`,
    access: { permission: 'allocations.read' },
    summary: 'Écart avec le calcul précédent',
    params,
    response: z.object({
      previous: Run.nullable(),
      items: z.array(
        z.object({ pointId: Id, label: z.string(), direction: Direction, before: WattMinutes, after: WattMinutes }),
      ),
    }),
  }),
  /** Σ allocated + surplus = production, checked again on what is stored. */
  proof: endpoint({
    method: 'GET',
    path: `${one}/proof`,
    access: { permission: 'allocations.read' },
    summary: 'Preuve de conservation',
    timeout: 120,
    params,
    response: z.object({
      steps: z.int(),
      checked: z.int(),
      /** Steps where it does not hold. */
      broken: z.int(),
      above: z.int(),
      resultHash: z.string(),
      sameHash: z.boolean(),
    }),
  }),
  export: endpoint({
    method: 'GET',
    path: `${one}/export`,
    access: { permission: 'allocations.read' },
    summary: 'Exporter un calcul de répartition',
    params,
    query: z.object({ level: z.enum(['points', 'days', 'pairs', 'steps']).default('points'), format: TableFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  /** One file per producer, as the distributor takes it. */
  coefficients: endpoint({
    method: 'GET',
    path: `${one}/coefficients/:producerId`,
    access: { permission: 'allocations.read' },
    summary: 'Fichier de coefficients d’un producteur',
    params: params.extend({ producerId: Id }),
    query: z.object({ decimals: z.coerce.number().int().min(0).max(4).default(1) }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
}

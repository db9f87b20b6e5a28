import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Direction, Id, Instant, TableFormat } from './primitives.ts'

/** Why our figure and the distributor's differ. */
export const DifferenceCause = z.enum([
  'equal',
  'rounding',
  'missing-data',
  'key-version',
  'membership-dates',
  'swapped-members',
  'shifted-day',
  'missing-class',
  'unexplained',
])
export type DifferenceCause = z.infer<typeof DifferenceCause>
export const Verdict = z.enum(['agreed', 'explained', 'different', 'nothing-to-compare'])
export type Verdict = z.infer<typeof Verdict>

export const ReconciledMonth = z.object({
  month: Day,
  verdict: Verdict,
  runId: Id.nullable(),
  /** The distributor's quantities are the definitive ones. */
  definitive: z.boolean(),
  oursWh: z.number(),
  theirsWh: z.number(),
  points: z.int(),
  causes: z.record(DifferenceCause, z.int()),
  checkedAt: Instant,
})
export type ReconciledMonth = z.infer<typeof ReconciledMonth>

export const DifferenceRow = z.object({
  pointId: Id,
  prm: z.string(),
  label: z.string(),
  direction: Direction,
  /** One direction of a battery. */
  storage: z.boolean().optional(),
  /** A month, a day or the instant of a step. */
  at: z.string(),
  oursWh: z.number().nullable(),
  theirsWh: z.number().nullable(),
  differenceWh: z.number().nullable(),
  cause: DifferenceCause,
})
export type DifferenceRow = z.infer<typeof DifferenceRow>

const idParams = z.object({ id: Id })
const Level = z.enum(['month', 'day', 'step']).default('month')
const queryFields = { month: Day, level: Level, pointId: Id.optional(), day: Day.optional() }

export const reconciliation = {
  months: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/reconciliation',
    access: { permission: 'reconciliation.read' },
    summary: 'Rapprocher une opération du distributeur',
    params: idParams,
    response: z.object({ toleranceWh: z.int(), items: z.array(ReconciledMonth) }),
  }),
  rows: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/reconciliation/rows',
    access: { permission: 'reconciliation.read' },
    summary: 'Lire les écarts avec le distributeur',
    params: idParams,
    query: z.object(queryFields),
    response: z.object({ items: z.array(DifferenceRow) }),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/reconciliation/export',
    access: { permission: 'reconciliation.read' },
    summary: 'Exporter les écarts avec le distributeur',
    params: idParams,
    query: z.object({ ...queryFields, format: TableFormat }),
    response: { file: 'text/csv' },
  }),
}

import { z } from 'zod'
import { PeriodEnergyTotals, Wh } from './energy-totals.ts'
import { Day, Direction, Id, Instant } from './primitives.ts'

export const MemberEnergyItem = z.object({
  id: Id,
  participantId: Id,
  /** The dwelling and its holder. */
  name: z.string(),
  operationId: Id,
  operationName: z.string(),
  prm: z.string(),
  direction: Direction,
  /** Whether it is one direction of a battery: charge or release. */
  storage: z.boolean().optional(),
  total: Wh,
  local: Wh,
  /** Not yet in any run. */
  pending: Wh,
  /** Rate of self-consumption or self-production, over the energy that is in a run. */
  rate: z.number().nullable(),
  /** Part of all energy that the operation shared. */
  share: z.number().nullable(),
  valueCents: z.int().nullable(),
})

export const OperationEnergyItem = PeriodEnergyTotals.extend({
  id: Id,
  name: z.string(),
  status: z.string(),
  method: z.string().nullable(),
  participants: z.int(),
  peakWatts: z.number(),
  completeness: z.number().nullable(),
  receivedUntil: Instant.nullable(),
  stale: z.boolean(),
  definitive: z.boolean(),
  sparkline: z.array(z.number().nullable()),
})

export const ProducerEnergyItem = z.object({
  id: Id,
  prm: z.string(),
  label: z.string(),
  participantName: z.string(),
  operationId: Id,
  operationName: z.string(),
  peakWatts: z.number().nullable(),
  /** The release of a battery: not a plant, and not part of production. */
  storage: z.boolean().optional(),
  produced: Wh,
  shared: Wh,
  surplus: Wh,
  pendingProduced: Wh,
  /** kWh per kWc over the period. */
  yield: z.number().nullable(),
  /** The output of the plant by its model under a clear sky, scaled to what its neighbours produced. */
  expected: Wh.nullable(),
  performance: z.number().nullable(),
  completeness: z.number().nullable(),
  alarms: z.array(z.object({ severity: z.enum(['warning', 'critical']), since: Day, message: z.string() })),
  sparkline: z.array(z.number().nullable()),
})

export const AttentionNotice = z.object({
  severity: z.enum(['info', 'warning', 'critical']),
  kind: z.string(),
  title: z.string(),
  message: z.string(),
  url: z.string(),
})

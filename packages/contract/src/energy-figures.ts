import { z } from 'zod'
import { Day, Direction, Id, Instant } from './primitives.ts'

/** Energies are in watt-hours, with at most three decimals: exact sums, rounded once. */
export const Wh = z.number()

/** Energy of batteries; it counts neither as production nor as consumption. */
export const StorageTotals = z.object({
  /** Charged: from the operation's production (stored), from the grid, or not yet in any run. */
  charged: Wh,
  stored: Wh,
  pendingCharged: Wh,
  /** Released: allocated to consumers, left over, or not yet in any run. */
  released: Wh,
  restored: Wh,
  pendingReleased: Wh,
  /** Whether both ends of every flow are within these figures: `shared + restored = allocated + stored`. */
  whole: z.boolean(),
})
export type StorageTotals = z.infer<typeof StorageTotals>

export const PeriodEnergyTotals = z.object({
  produced: Wh,
  shared: Wh,
  surplus: Wh,
  /** Produced and not yet in any run: with `shared` and `surplus` it adds up to `produced`. */
  pendingProduced: Wh,
  consumed: Wh,
  allocated: Wh,
  complement: Wh,
  /** Consumed and not yet in any run: with `allocated` and `complement` it adds up to `consumed`. */
  pendingConsumed: Wh,
  /** Only over energy in a run: `shared + surplus`. */
  selfConsumption: z.number().nullable(),
  /** Only over energy in a run: `allocated + complement`. */
  selfProduction: z.number().nullable(),
  /** Grams, by the factors given in `co2`. */
  co2Grams: z.number(),
  /** Whole cents, at the price per kWh of each operation; null where one has no price. */
  valueCents: z.int().nullable(),
  /** 1/10 000 of a euro per kWh: the mean price of that energy; null where there is none. */
  unitPrice: z.int().nullable(),
  /** Present where batteries take part. */
  storage: StorageTotals.optional(),
})
export type PeriodEnergyTotals = z.infer<typeof PeriodEnergyTotals>

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

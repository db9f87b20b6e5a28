import { z } from 'zod'
import { Cents, UnitPrice } from './money.ts'
import { AllocationMethod, Day, Id } from './primitives.ts'

/** Of a key, on the month on which nothing was chosen; watt-hours and cents. */
const KeyMember = z.object({
  pointId: Id,
  name: z.string(),
  consumed: z.number(),
  received: z.number(),
  /** Part of what was used; null where nothing was. */
  coverage: z.number().nullable(),
  /** Mean price of what was used, in 1/10 000 €; null where a price is not known. */
  price: UnitPrice.nullable(),
  /** What the member gains (or loses, below zero) beside the key in force; null where a price is not known. */
  cents: Cents.nullable(),
  /** Part of the production, for a static key. */
  share: z.number().nullable(),
})
const KeyOutcome = z.object({
  name: z.enum(['current', 'default', 'bounded', 'floor']),
  label: z.string(),
  received: z.number(),
  /** Part of what was made that was used. */
  used: z.number(),
  /** 0 all alike, 1 one has all; 1 all alike; the lowest coverage. */
  gini: z.number(),
  jain: z.number(),
  least: z.number(),
  /** Beside the key in force: watt-hours, points of self-consumption, cents of the month, and of ten resamplings. */
  more: z.number(),
  points: z.number(),
  cents: Cents.nullable(),
  positive: z.int(),
  /** Worth a vote by the rule. */
  proposed: z.boolean(),
  members: z.array(KeyMember),
  /** Who would have received over 5 % more with another's coefficient. */
  envies: z.array(z.object({ who: z.string(), whose: z.string() })),
})
export const BetterKeyReport = z.object({
  operation: z.object({ id: Id, name: z.string() }),
  method: AllocationMethod.nullable(),
  /** The key in force already shares all that can be shared. */
  usesAll: z.boolean(),
  chosenOn: z.object({ from: Day, to: Day }),
  heldOut: z.object({ from: Day, to: Day }),
  produced: z.number(),
  current: KeyOutcome,
  offers: z.array(KeyOutcome),
  prices: z.object({ local: UnitPrice.nullable(), surplus: UnitPrice.nullable(), supplier: UnitPrice.nullable() }),
  notes: z.array(z.string()),
})
export type BetterKeyReport = z.infer<typeof BetterKeyReport>
export type KeyOutcome = z.infer<typeof KeyOutcome>

export const JoinCandidates = z.object({
  from: Day,
  to: Day,
  surplus: z.number(),
  items: z.array(
    z.object({
      name: z.string(),
      /** A project's candidate by its profile or its readings, or a profile alone. */
      kind: z.enum(['candidate', 'measured', 'profile']),
      project: z.string(),
      yearlyKwh: z.number(),
      /** Watt-hours of the days: what the community uses more, what the newcomer receives, what members receive less. */
      more: z.number(),
      received: z.number(),
      dilution: z.number(),
      /** What the community and the newcomer gain; null where a price is not known. */
      community: Cents.nullable(),
      saving: Cents.nullable(),
    }),
  ),
  notes: z.array(z.string()),
})
export type JoinCandidates = z.infer<typeof JoinCandidates>

export const GridTariffs = z.object({
  from: Day,
  to: Day,
  source: z.string(),
  items: z.array(
    z.object({
      pointId: Id,
      name: z.string(),
      kva: z.number(),
      /** Days of the year that are known. */
      days: z.int(),
      /** Cheapest first, cents a year before tax. */
      options: z.array(z.object({ name: z.string(), cents: Cents })),
      /** What the best collective formula saves a year beside the best of the others; below zero it costs more. */
      saved: Cents,
    }),
  ),
  notes: z.array(z.string()),
})
export type GridTariffs = z.infer<typeof GridTariffs>

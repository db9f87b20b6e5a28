import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { PeriodEnergyTotals, Wh } from './energy-figures.ts'
import { AllocationMethod, Day, Gap, Id, Period } from './primitives.ts'

/** A version of the key while it was in force; what it says of this member, where it says something of each. */
const WhyKey = z.object({
  number: z.int(),
  method: AllocationMethod,
  label: z.string(),
  from: Day,
  to: Day,
  /** Millionths of the pool, of all their meters together. */
  share: z.int().nullable(),
  rank: z.int().nullable(),
})

/** What the figures of their meters rest on, in steps; one that is suspended took no part in the sharing. */
export const WhyReadings = z.object({
  steps: z.int(),
  measured: z.int(),
  corrected: z.int(),
  estimated: z.int(),
  missing: z.int(),
  gaps: z.array(Gap),
  minutes: z.int(),
})

/** How the local part of a consumer came about, step by step. */
export const WhyShare = z.object({
  /** Drawn while the operation produced: only then is there something to share. */
  sunlit: Wh,
  sunlitShare: z.number().nullable(),
  /** Made by all the plants while the member was there. */
  produced: Wh,
  /** What the key set apart for them, before their own need; null for keys that serve by rank. */
  offered: Wh.nullable(),
  used: Wh,
  /** Set apart for them and not drawn at that moment. */
  unused: Wh.nullable(),
  hours: z.object({
    /** Something was produced. */
    producing: z.number(),
    /** More was produced than was drawn by those who share. */
    surplus: z.number(),
    /** Something was produced, and the member still drew from the grid. */
    short: z.number(),
  }),
})
export type WhyShare = z.infer<typeof WhyShare>

export const EnergyExplanation = z.object({
  operationId: Id,
  operationName: z.string(),
  participantId: Id,
  name: z.string(),
  month: Day,
  /** The days of the month that are over. */
  from: Day,
  to: Day,
  prms: z.array(z.string()),
  presence: z.object({ days: z.int(), of: z.int(), spans: z.array(Period) }),
  totals: PeriodEnergyTotals,
  runs: z.array(
    z.object({ id: Id, from: Day, to: Day, definitive: z.boolean(), stale: z.boolean(), estimated: z.boolean() }),
  ),
  keys: z.array(WhyKey),
  readings: WhyReadings.nullable(),
  /** Null for a producer alone, and as long as nothing was computed. */
  share: WhyShare.nullable(),
  /** The middle one of the others; null where they are too few to stay unknown. */
  neighbours: z.object({ members: z.int(), selfProduction: z.number(), local: Wh }).nullable(),
})
export type EnergyExplanation = z.infer<typeof EnergyExplanation>

export const why = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/participants/:id/why',
    access: { permission: 'energy.read', portal: true },
    summary: 'Expliquer le chiffre d’un membre et d’un mois',
    params: z.object({ id: Id }),
    query: z.object({ operationId: Id, month: Day }),
    response: EnergyExplanation,
  }),
}

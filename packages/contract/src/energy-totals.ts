import { z } from 'zod'

/** Energies are in watt-hours, with at most three decimals: made of exact sums, rounded once. */
export const Wh = z.number()

/** What batteries did; it counts neither as produced nor as consumed. */
export const StorageTotals = z.object({
  /** What they drew: stored of what the operation produced, from the grid, or in no run yet. */
  charged: Wh,
  stored: Wh,
  pendingCharged: Wh,
  /** What they released: given to consumers, left over, or in no run yet. */
  released: Wh,
  restored: Wh,
  pendingReleased: Wh,
  /** Whether every flow has both its ends among these figures: `shared + restored = allocated + stored`. */
  whole: z.boolean(),
})
export type StorageTotals = z.infer<typeof StorageTotals>

export const PeriodEnergyTotals = z.object({
  produced: Wh,
  shared: Wh,
  surplus: Wh,
  /** Produced, and in no run yet: with `shared` and `surplus` it makes `produced`. */
  pendingProduced: Wh,
  consumed: Wh,
  allocated: Wh,
  complement: Wh,
  /** Drawn, and in no run yet: with `allocated` and `complement` it makes `consumed`. */
  pendingConsumed: Wh,
  /** Of what is allocated: `shared + surplus`. */
  selfConsumption: z.number().nullable(),
  /** Of what is allocated: `allocated + complement`. */
  selfProduction: z.number().nullable(),
  /** Grams, by the factors named in `co2`. */
  co2Grams: z.number(),
  /** Whole cents, at the operations' own price per kWh; null where one has none. */
  valueCents: z.int().nullable(),
  /** 1/10 000 of a euro per kWh: the mean price of that energy; null where there is none. */
  unitPrice: z.int().nullable(),
  /** Where batteries take part. */
  storage: StorageTotals.optional(),
})
export type PeriodEnergyTotals = z.infer<typeof PeriodEnergyTotals>

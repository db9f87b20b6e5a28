import { z } from 'zod'

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

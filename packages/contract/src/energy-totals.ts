import { z } from 'zod'

/** Energies are in watt-hours, with at most three decimals: made of exact sums, rounded once. */
export const Wh = z.number()

export const Totals = z.object({
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
  /** Cents, at the operations' own price per kWh; null where one has none. */
  valueCents: z.number().nullable(),
})
export type Totals = z.infer<typeof Totals>

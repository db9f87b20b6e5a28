import { z } from 'zod'
import { Day, Id, TimeClass } from './primitives.ts'

/** Those who pay alike: a buyer whom a rule names, a group, or all the others. */
export const PriceRow = z.object({
  kind: z.enum(['buyer', 'group', 'others']),
  id: Id.nullable(),
  name: z.string(),
  /** How many buyers of the operation it holds that day. */
  buyers: z.int(),
})
export const PriceColumn = z.object({ producerId: Id, producer: z.string(), class: TimeClass })
export const PriceCell = z.object({
  /** 1/10 000 € per kWh; null where nothing gives one. */
  price: z.int().nullable(),
  /** The rule that gives it. */
  rule: z.string().nullable(),
  label: z.string(),
  /** Of an indexed price, from P0 to what is billed; empty where there is nothing to compute. */
  computation: z.string(),
  /** Why there is no price; empty where there is one. */
  missing: z.string(),
})
export type PriceCell = z.infer<typeof PriceCell>
/** Who pays what, when. */
export const PriceMatrix = z.object({
  day: Day,
  tariffId: Id.nullable(),
  number: z.int().nullable(),
  rows: z.array(PriceRow),
  columns: z.array(PriceColumn),
  /** By row, then by column. */
  cells: z.array(z.array(PriceCell)),
})
export type PriceMatrix = z.infer<typeof PriceMatrix>

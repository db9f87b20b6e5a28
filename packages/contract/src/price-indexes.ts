import { z } from 'zod'
import { Day, Id, Instant, OptionalText, Text, Version } from './primitives.ts'

/** A figure as it was published: a decimal text, never a float. */
export const IndexFigure = z
  .string()
  .trim()
  .transform((text) => text.replace(',', '.'))
  .refine(
    (text) => /^\d{1,9}(\.\d{1,9})?$/.test(text) && /[1-9]/.test(text),
    'Une valeur d’indice plus grande que zéro est attendue, par exemple 121,37.',
  )

/** What was said of the index from a day on; null: announced for that day, not yet published. */
export const PriceIndexValue = z.object({
  startsOn: Day,
  value: z.string().nullable(),
  source: z.string(),
  createdBy: z.string(),
  createdAt: Instant,
  /** The last word on its day: the others are kept to be read. */
  holds: z.boolean(),
})
export const PriceIndex = z.object({
  id: Id,
  name: z.string(),
  source: z.string(),
  /** The latest day first; of one day, the last word first. */
  words: z.array(PriceIndexValue),
  /** Versions of tariffs that follow it. */
  tariffs: z.int(),
  version: z.int(),
})
export type PriceIndex = z.infer<typeof PriceIndex>

export const PriceIndexDraft = z.strictObject({ name: Text, source: OptionalText.default('') })
export const PriceIndexUpdate = z.strictObject({ name: Text, source: OptionalText, version: Version })
export const PriceIndexValueDraft = z.strictObject({
  startsOn: Day,
  value: IndexFigure.nullable(),
  source: OptionalText.default(''),
})

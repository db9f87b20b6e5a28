import { z } from 'zod'

/** What every list accepts; the names are those of the browser's address bar. */
export const ListQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(100).default(25),
  q: z.string().trim().max(200).optional(),
  /** A column, `-` in front for descending. */
  sort: z.string().max(40).optional(),
})
export type ListQuery = z.output<typeof ListQuery>

export const buildPageSchema = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), total: z.int() })

import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

/** What a search finds; the palette shows them in groups. */
export const SearchKind = z.enum(['participant', 'point', 'operation', 'invoice', 'project', 'file', 'user', 'article'])
export type SearchKind = z.infer<typeof SearchKind>

export const SearchHit = z.object({
  kind: SearchKind,
  id: z.string(),
  title: z.string(),
  /** What tells it from others of the same name. */
  detail: z.string(),
  /** The address of the screen that shows it. */
  to: z.string(),
})
export type SearchHit = z.infer<typeof SearchHit>

/** Fewer letters name nothing. */
export const MIN_SEARCH_LENGTH = 2

export const search = {
  find: defineEndpoint({
    method: 'GET',
    path: '/api/search',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Rechercher dans tout ce que l’on peut lire',
    query: z.object({ q: z.string().trim().max(100).default('') }),
    response: z.object({ items: z.array(SearchHit) }),
  }),
}

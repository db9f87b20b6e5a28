import { NotificationCategory, type NotificationQuery, NotificationType } from '@voisol/contract/notifications'
import { z } from 'zod'

export const PAGE_SIZE = 50

/** What the address of the list says; what does not parse is as if absent. */
const Filters = z.object({
  view: z.enum(['all', 'unread', 'archived']).catch('all').default('all'),
  category: NotificationCategory.optional().catch(undefined),
  type: NotificationType.optional().catch(undefined),
  q: z.string().trim().max(200).catch('').default(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1).default(1),
  tab: z.enum(['list', 'preferences']).catch('list').default('list'),
})
export type Filters = z.output<typeof Filters>

export const parseFilters = (search: URLSearchParams): Filters => Filters.parse(Object.fromEntries(search))

/** The address after a change: what is at its default is left out, and any change but that of page starts at the first. */
export function changeFilters(search: URLSearchParams, change: Partial<Filters>): URLSearchParams {
  const defaults: Filters = Filters.parse({})
  const next: Filters = { ...parseFilters(search), page: 1, ...change }
  const kept = Object.entries(next).filter(
    ([key, value]) => value !== undefined && value !== '' && value !== defaults[key as keyof Filters], // the keys of Filters themselves
  )
  return new URLSearchParams(kept.map(([key, value]) => [key, String(value)]))
}

export const toQuery = ({ view, category, type, q, page }: Filters): z.input<typeof NotificationQuery> => ({
  limit: PAGE_SIZE,
  offset: (page - 1) * PAGE_SIZE,
  ...(view === 'unread' && { unreadOnly: 'true' as const }),
  ...(view === 'archived' && { archived: 'true' as const }),
  ...(category && { category }),
  ...(type && { type }),
  ...(q && { q }),
})

export const isFiltered = ({ view, category, type, q }: Filters) =>
  view !== 'all' || category !== undefined || type !== undefined || q !== ''

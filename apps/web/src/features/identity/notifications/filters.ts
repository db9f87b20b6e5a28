import { NotificationCategory, type NotificationQuery, NotificationType } from '@voisol/contract/notifications'
import { z } from 'zod'

export const NOTIFICATIONS_PAGE_SIZE = 50

/** What the address of the list says; what does not parse is as if absent. */
const NotificationFilters = z.object({
  view: z.enum(['all', 'unread', 'archived']).catch('all').default('all'),
  category: NotificationCategory.optional().catch(undefined),
  type: NotificationType.optional().catch(undefined),
  q: z.string().trim().max(200).catch('').default(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1).default(1),
  tab: z.enum(['list', 'preferences']).catch('list').default('list'),
})
export type NotificationFilters = z.output<typeof NotificationFilters>

export const parseNotificationFilters = (search: URLSearchParams): NotificationFilters =>
  NotificationFilters.parse(Object.fromEntries(search))

/** The address after a change: what is at its default is left out, and any change but that of page starts at the first. */
export function withFilterChange(search: URLSearchParams, change: Partial<NotificationFilters>): URLSearchParams {
  const defaults: NotificationFilters = NotificationFilters.parse({})
  const next: NotificationFilters = { ...parseNotificationFilters(search), page: 1, ...change }
  const nonDefault = Object.entries(next).filter(
    ([key, value]) => value !== undefined && value !== '' && value !== defaults[key as keyof NotificationFilters], // the keys of Filters themselves
  )
  return new URLSearchParams(nonDefault.map(([key, value]) => [key, String(value)]))
}

export const toNotificationQuery = ({
  view,
  category,
  type,
  q,
  page,
}: NotificationFilters): z.input<typeof NotificationQuery> => ({
  limit: NOTIFICATIONS_PAGE_SIZE,
  offset: (page - 1) * NOTIFICATIONS_PAGE_SIZE,
  ...(view === 'unread' && { unreadOnly: 'true' as const }),
  ...(view === 'archived' && { archived: 'true' as const }),
  ...(category && { category }),
  ...(type && { type }),
  ...(q && { q }),
})

export const hasActiveFilters = ({ view, category, type, q }: NotificationFilters) =>
  view !== 'all' || category !== undefined || type !== undefined || q !== ''

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type NotificationFilters, parseNotificationFilters, withFilterChange } from './filters.ts'
import { buildNotificationsQuery, useNotificationActions } from './queries.ts'

/** What both screens work with: filters in the address, the page they give, and what can be done. */
export function useNotificationScreen() {
  const [search, setSearch] = useSearchParams()
  const filters = parseNotificationFilters(search)
  // From the address itself: two quick changes would otherwise both start from what was last drawn, and lose one.
  const setFilters = (change: Partial<NotificationFilters>) =>
    setSearch(withFilterChange(new URLSearchParams(location.search), change))
  const list = useQuery({ ...buildNotificationsQuery(filters), placeholderData: keepPreviousData })
  return { filters, setFilters, list, actions: useNotificationActions() }
}
export type NotificationScreenState = ReturnType<typeof useNotificationScreen>

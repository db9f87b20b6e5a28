import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { changeFilters, type Filters, parseFilters } from './filters.ts'
import { listQuery, useNotificationActions } from './queries.ts'

/** What both screens work with: filters in the address, the page they give, and what can be done. */
export function useNotificationScreen() {
  const [search, setSearch] = useSearchParams()
  const filters = parseFilters(search)
  // From the address itself: two quick changes would otherwise both start from what was last drawn, and lose one.
  const setFilters = (change: Partial<Filters>) =>
    setSearch(changeFilters(new URLSearchParams(location.search), change))
  const list = useQuery({ ...listQuery(filters), placeholderData: keepPreviousData })
  return { filters, setFilters, list, actions: useNotificationActions() }
}
export type NotificationScreen = ReturnType<typeof useNotificationScreen>

import { expect, test } from 'vitest'
import { hasActiveFilters, parseNotificationFilters, toNotificationQuery, withFilterChange } from './filters.ts'

const parseSearch = (search: string) => parseNotificationFilters(new URLSearchParams(search))

test('what the address does not say, or says wrongly, is the default', () => {
  const defaults = { view: 'all', q: '', page: 1, tab: 'list', category: undefined, type: undefined }
  expect(parseSearch('')).toEqual(defaults)
  expect(parseSearch('view=everything&category=cats&type=loud&page=-3&tab=x')).toEqual(defaults)
})

test('a filter becomes part of the call', () => {
  expect(toNotificationQuery(parseSearch('view=unread&category=billing&type=error&q=facture&page=3'))).toEqual({
    limit: 50,
    offset: 100,
    unreadOnly: 'true',
    category: 'billing',
    type: 'error',
    q: 'facture',
  })
  expect(toNotificationQuery(parseSearch('view=archived'))).toEqual({ limit: 50, offset: 0, archived: 'true' })
})

test('a change goes back to the first page and leaves defaults out of the address', () => {
  const search = new URLSearchParams('page=4&q=bilan')
  expect(String(withFilterChange(search, { category: 'system' }))).toBe('q=bilan&category=system')
  expect(String(withFilterChange(search, { page: 5 }))).toBe('q=bilan&page=5')
  expect(String(withFilterChange(search, { q: '', view: 'all' }))).toBe('')
})

test('a search or a filter is told from the plain list', () => {
  expect(hasActiveFilters(parseSearch('page=2&tab=preferences'))).toBe(false)
  expect(hasActiveFilters(parseSearch('view=archived'))).toBe(true)
  expect(hasActiveFilters(parseSearch('q=x'))).toBe(true)
})

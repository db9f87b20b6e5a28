import { expect, test } from 'vitest'
import { changeFilters, isFiltered, parseFilters, toQuery } from './filters.ts'

const from = (search: string) => parseFilters(new URLSearchParams(search))

test('what the address does not say, or says wrongly, is the default', () => {
  const defaults = { view: 'all', q: '', page: 1, tab: 'list', category: undefined, type: undefined }
  expect(from('')).toEqual(defaults)
  expect(from('view=everything&category=cats&type=loud&page=-3&tab=x')).toEqual(defaults)
})

test('a filter becomes part of the call', () => {
  expect(toQuery(from('view=unread&category=billing&type=error&q=facture&page=3'))).toEqual({
    limit: 50,
    offset: 100,
    unreadOnly: 'true',
    category: 'billing',
    type: 'error',
    q: 'facture',
  })
  expect(toQuery(from('view=archived'))).toEqual({ limit: 50, offset: 0, archived: 'true' })
})

test('a change goes back to the first page and leaves defaults out of the address', () => {
  const search = new URLSearchParams('page=4&q=bilan')
  expect(String(changeFilters(search, { category: 'system' }))).toBe('q=bilan&category=system')
  expect(String(changeFilters(search, { page: 5 }))).toBe('q=bilan&page=5')
  expect(String(changeFilters(search, { q: '', view: 'all' }))).toBe('')
})

test('a search or a filter is told from the plain list', () => {
  expect(isFiltered(from('page=2&tab=preferences'))).toBe(false)
  expect(isFiltered(from('view=archived'))).toBe(true)
  expect(isFiltered(from('q=x'))).toBe(true)
})

import { DEFAULT_WHITE_LABEL } from '@voisol/contract/white-label'
import { expect, test, vi } from 'vitest'
import { fetchWhiteLabel, getThemeErrorReason } from './white-label.ts'

test('asks without a bearer and without the cache', async () => {
  const fetched = vi.fn<typeof fetch>(async () => Response.json({ ...DEFAULT_WHITE_LABEL, version: 0 }))
  vi.stubGlobal('fetch', fetched)
  expect((await fetchWhiteLabel(7)).primaryColor).toBe('#007BFF')
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/companies/7/white-label')
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ cache: 'no-store' })
  expect(fetched.mock.calls[0]?.[1]?.headers).toBeUndefined()
})

test('a failed answer is told by its status', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503, statusText: 'Service Unavailable' }))
  const error = await fetchWhiteLabel(1).catch((reason) => reason)
  expect(getThemeErrorReason(error)).toBe('Erreur 503: Service Unavailable')
})

test('the browser’s own English is not shown', () => {
  expect(getThemeErrorReason(new TypeError('Failed to fetch'))).toBe('le serveur n’a pas pu être joint')
  expect(getThemeErrorReason(new SyntaxError('Unexpected token'))).toBe('la réponse du serveur n’est pas lisible')
})

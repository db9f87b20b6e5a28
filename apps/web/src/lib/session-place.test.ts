import type { CurrentUser } from '@voisol/contract/auth'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleStorageEvent } from './activity.ts'
import { buildResponse, stubPage, stubStorage, testUser } from './fake-browser.ts'
import { queryClient } from './queries.ts'
import { setNavigator } from './redirect.ts'
import { setUser } from './session.ts'
import { switchSessionCompany, switchSessionSpace } from './session-place.ts'
import { sessionStore } from './stores.ts'

const both: CurrentUser = { ...testUser, spaces: ['office', 'portal'] }
const sent = vi.fn<typeof fetch>()
let storage: Map<string, string>
let visited: string[]

beforeEach(() => {
  storage = stubStorage()
  stubPage()
  visited = []
  setNavigator((to) => visited.push(to))
  vi.stubGlobal('fetch', sent)
  sent.mockReset()
  setUser(both)
  queryClient.setQueryData(['/api/users'], 'of the other space')
})
afterEach(() => {
  sessionStore.set({ status: 'anonymous', user: null })
  queryClient.clear()
  setNavigator(undefined)
  vi.unstubAllGlobals()
})

test('another space: nothing read before is kept, its home opens and the other tabs hear of it', async () => {
  sent.mockImplementation(async () => buildResponse({ ...both, space: 'portal' }))
  await switchSessionSpace('portal')
  expect(sent.mock.calls[0]?.[0]).toBe('/api/auth/space')
  expect(sent.mock.calls[0]?.[1]?.body).toBe('{"space":"portal"}')
  expect(sessionStore.read().user?.space).toBe('portal')
  expect(queryClient.getQueryData(['/api/users'])).toBeUndefined()
  expect(visited).toEqual(['/client-portal'])
  expect(storage.get('voisol_place')).toMatch(/^1 portal /)
})

test('another company is told to the other tabs as well; one that is not theirs does not exist', async () => {
  sent.mockImplementation(async () => buildResponse({ ...both, companyId: 7 }))
  const user = { ...both, companies: [{ id: 7, name: 'Atelier' }] }
  expect((await switchSessionCompany(user, '7')).companyId).toBe(7)
  expect(storage.get('voisol_place')).toMatch(/^7 office /)
  await expect(switchSessionCompany(user, '8')).rejects.toMatchObject({ init: { status: 404 } })
})

test('a tab follows the session that another one has moved', async () => {
  sent.mockImplementation(async () => buildResponse({ ...both, space: 'portal' }))
  handleStorageEvent({ key: 'voisol_place', newValue: '1 portal x' })
  await vi.waitFor(() => expect(visited).toEqual(['/client-portal']))
  expect(sent.mock.calls[0]?.[0]).toBe('/api/auth/me')
  expect(queryClient.getQueryData(['/api/users'])).toBeUndefined()
})

test('whoever is not signed in has nothing to follow', () => {
  sessionStore.set({ status: 'anonymous', user: null })
  handleStorageEvent({ key: 'voisol_place', newValue: '1 portal x' })
  expect(sent).not.toHaveBeenCalled()
})

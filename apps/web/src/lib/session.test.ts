import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildResponse, stubPage, stubStorage, testUser } from './fake-browser.ts'

let storage: Map<string, string>
let page: ReturnType<typeof stubPage>
const fetched = vi.fn<typeof fetch>()

/** Each test starts the product anew. */
const load = async () => {
  vi.resetModules()
  return { ...(await import('./session.ts')), ...(await import('./stores.ts')) }
}
const headersOf = (index: number) => fetched.mock.calls[index]?.[1]?.headers

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  storage = stubStorage()
  page = stubPage()
  fetched.mockReset().mockImplementation(async () => buildResponse(testUser))
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a stored token fetches the user', async () => {
  storage.set('token', 'abc')
  const { waitForSession: sessionReady } = await load()
  expect(await sessionReady()).toEqual({ status: 'authenticated', user: testUser })
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/auth/me')
  expect(headersOf(0)).toMatchObject({ authorization: 'Bearer abc' })
  expect(storage.get('voisol_session_info')).toContain(testUser.id)
})

test('a refused token is removed', async () => {
  storage.set('token', 'abc')
  fetched.mockImplementation(async () => buildResponse('', 401))
  const { waitForSession: sessionReady } = await load()
  expect((await sessionReady()).status).toBe('anonymous')
  expect(storage.has('token')).toBe(false)
})

test('force_logout is cleared and nobody is signed in', async () => {
  storage.set('token', 'abc').set('force_logout', 'true')
  const { waitForSession: sessionReady } = await load()
  expect((await sessionReady()).status).toBe('anonymous')
  expect(storage.has('force_logout')).toBe(false)
  expect(fetched).not.toHaveBeenCalled()
})

test('the literal dev-token is never tried', async () => {
  storage.set('token', 'dev-token')
  const { waitForSession: sessionReady } = await load()
  expect((await sessionReady()).status).toBe('anonymous')
  expect(fetched).not.toHaveBeenCalled()
})

test('a session left for 24 hours is over at the next start', async () => {
  storage.set('token', 'abc')
  storage.set(
    'voisol_session_info',
    JSON.stringify({ userId: 'u', lastActivity: Date.now() - 86_400_000, sessionId: 's' }),
  )
  const { waitForSession: sessionReady } = await load()
  expect((await sessionReady()).status).toBe('anonymous')
  expect(storage.get('voisol_logout_state')).toContain('inactivity')
})

test('login stores the token and lifts force_logout', async () => {
  const { login, waitForSession: sessionReady } = await load()
  await sessionReady()
  storage.set('force_logout', 'true')
  fetched.mockImplementation(async () => buildResponse({ token: 'new', user: testUser }))
  await login({ email: 'a@b.fr', password: 'x' })
  expect(storage.get('token')).toBe('new')
  expect(storage.has('force_logout')).toBe(false)
  expect(page.document.cookie).toMatch(/^token=new; Path=\/; SameSite=Strict/)
  expect((await sessionReady()).user).toEqual(testUser)
})

test('logout: local first, then the server without the token, then the tokens, then /login 100 ms later', async () => {
  storage.set('token', 'abc').set('auth_token', 'old')
  const { logout, waitForSession: sessionReady, sessionStore } = await load()
  await sessionReady()
  fetched.mockClear()
  const done = logout()
  expect(storage.get('force_logout')).toBe('true')
  expect(sessionStore.read().user).toBeNull()
  expect(storage.get('token')).toBe('abc')
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/auth/logout')
  expect(headersOf(0)).toEqual({ 'content-type': 'application/json', 'idempotency-key': expect.any(String) })
  expect(fetched.mock.calls[0]?.[1]?.body).toBeUndefined()
  await done
  expect(storage.has('token') || storage.has('auth_token')).toBe(false)
  expect(page.document.cookie).toMatch(/^token=;/)
  vi.advanceTimersByTime(99)
  expect(page.visited).toEqual([])
  vi.advanceTimersByTime(1)
  expect(page.visited).toEqual(['/login'])
})

test('logout removes the drafts that this tab keeps, and nothing else of it', async () => {
  const removing = {
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
  }
  const kept: Record<string, string> = { voisol_operation_1_claire: '{"name":"Anne"}', other: 'stays' }
  vi.stubGlobal('sessionStorage', Object.assign(Object.create(removing), kept))
  storage.set('token', 'abc')
  const { logout, waitForSession: sessionReady } = await load()
  await sessionReady()
  await logout()
  expect(Object.keys(sessionStorage)).toEqual(['other'])
})

test('a logout endpoint that fails only warns', async () => {
  storage.set('token', 'abc')
  const { logout, waitForSession: sessionReady } = await load()
  await sessionReady()
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  fetched.mockRejectedValue(new TypeError('away'))
  await logout()
  expect(warn).toHaveBeenCalledOnce()
  expect(storage.has('token')).toBe(false)
  vi.advanceTimersByTime(100)
  expect(page.visited).toEqual(['/login'])
})

test('a logout that fails altogether is logged and still leads to /login', async () => {
  storage.set('token', 'abc')
  const { logout, waitForSession: sessionReady, sessionStore } = await load()
  await sessionReady()
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(sessionStore, 'set').mockImplementation(() => {
    throw new Error('broken')
  })
  await logout()
  expect(log).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(100)
  expect(page.visited).toEqual(['/login'])
})

test('another tab’s new token is not removed with ours', async () => {
  storage.set('token', 'abc')
  const { endWithOtherTab, waitForSession: sessionReady } = await load()
  await sessionReady()
  storage.set('token', 'newer')
  endWithOtherTab()
  expect(storage.get('token')).toBe('newer')
})

test('a session the server has closed ends here, once', async () => {
  storage.set('token', 'abc')
  const { endSession, waitForSession: sessionReady } = await load()
  await sessionReady()
  endSession('/login?redirect=%2Fusers')
  endSession('/login?redirect=%2Fusers')
  vi.advanceTimersByTime(100)
  expect(page.visited).toEqual(['/login?redirect=%2Fusers'])
  expect(storage.has('token')).toBe(false)
  expect(JSON.parse(storage.get('voisol_logout_history') ?? '')).toHaveLength(1)
})

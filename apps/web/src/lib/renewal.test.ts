import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildResponse, stubPage, stubStorage, testUser } from './fake-browser.ts'

let storage: Map<string, string>
const sent = vi.fn<typeof fetch>()
const problem = (code: string) =>
  buildResponse({ type: 't', title: 't', status: 401, code, detail: 'd', message: 'd', requestId: 'r' }, 401)
const pair = (n: number) => ({ success: true, token: `token-${n}`, expiresIn: 3600, refreshToken: `refresh-${n}` })
const bearer = (init: RequestInit | undefined) => new Headers(init?.headers).get('authorization')
const renewals = () => sent.mock.calls.filter(([to]) => to === '/api/auth/refresh')

/** A server that knows `token-<n>` alone, and renews `refresh-<n>`. */
function server(known = 0) {
  let current = known
  sent.mockImplementation(async (to, init) => {
    if (to !== '/api/auth/refresh')
      return bearer(init) === `Bearer token-${current}` ? buildResponse(testUser) : problem('unauthenticated')
    const { refreshToken } = JSON.parse(String(init?.body))
    if (refreshToken !== `refresh-${current}`) return problem('session-expired')
    current++
    return buildResponse(pair(current))
  })
}
const load = async () => {
  vi.resetModules()
  return { ...(await import('./call.ts')), ...(await import('./renewal.ts')), ...(await import('./session.ts')) }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  storage = stubStorage()
  stubPage()
  sent.mockReset()
  vi.stubGlobal('fetch', sent)
  storage.set('token', 'token-0').set('voisol_refresh_token', 'refresh-0')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a token that is over is renewed, and the call goes again under the same key', async () => {
  server()
  const { call } = await load()
  const { auth } = await import('@voisol/contract/auth')
  storage.set('token', 'token-old')
  await call(auth.switchCompany, { body: { companyId: 1 } })
  expect(renewals()).toHaveLength(1)
  expect([storage.get('token'), storage.get('voisol_refresh_token')]).toEqual(['token-1', 'refresh-1'])
  const keys = sent.mock.calls
    .filter(([to]) => to === '/api/auth/company')
    .map(([, init]) => new Headers(init?.headers).get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('several calls that are refused at once renew once', async () => {
  server()
  const { call } = await load()
  const { auth } = await import('@voisol/contract/auth')
  storage.set('token', 'token-old')
  await Promise.all([call(auth.me, {}), call(auth.me, {}), call(auth.me, {})])
  expect(renewals()).toHaveLength(1)
})

test('what another tab has renewed meanwhile is taken, not renewed again', async () => {
  server(1)
  const { call } = await load()
  const { auth } = await import('@voisol/contract/auth')
  sent.mockImplementationOnce(async () => {
    storage.set('token', 'token-1').set('voisol_refresh_token', 'refresh-1')
    return problem('unauthenticated')
  })
  expect(await call(auth.me, {})).toEqual(testUser)
  expect(renewals()).toHaveLength(0)
})

test('a lost answer is asked for again, under the same key', async () => {
  server()
  const { renewToken: renew } = await load()
  sent.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const done = renew('token-0')
  await vi.runAllTimersAsync()
  expect(await done).toBe('token-1')
  const keys = renewals().map(([, init]) => new Headers(init?.headers).get('idempotency-key'))
  expect(keys).toEqual([keys[0], keys[0]])
})

test('a renewal that is refused ends nothing by itself: the call says so', async () => {
  server(7)
  const { call } = await load()
  const { auth } = await import('@voisol/contract/auth')
  await expect(call(auth.me, {})).rejects.toMatchObject({ status: 401, code: 'unauthenticated' })
  expect(renewals()).toHaveLength(1)
})

test('a renewal that cannot be had for now ends nothing', async () => {
  server(7)
  const { call, onRefusal } = await load()
  const { auth } = await import('@voisol/contract/auth')
  const refused = vi.fn()
  onRefusal(refused)
  sent
    .mockImplementationOnce(async () => problem('unauthenticated'))
    .mockImplementationOnce(async () => buildResponse('', 503))
  await expect(call(auth.me, {})).rejects.toThrow('refresh: 503')
  expect(refused).not.toHaveBeenCalled()
})

test('an hour is not waited for: what is old enough is renewed before', async () => {
  server()
  const { waitForSession: sessionReady, renewTokenWhenDue: renewWhenDue } = await load()
  storage.set('voisol_renewed_at', String(Date.now()))
  await sessionReady()
  await renewWhenDue()
  expect(renewals()).toHaveLength(0)
  vi.advanceTimersByTime(45 * 60_000)
  await renewWhenDue()
  await renewWhenDue()
  expect(renewals()).toHaveLength(1)
  expect(storage.get('token')).toBe('token-1')
})

test('the token of a sign-in is renewed before its hour, as a renewed one is', async () => {
  server()
  const { login, renewTokenWhenDue: renewWhenDue } = await load()
  storage.clear()
  const signedIn = { success: true, token: 'token-0', refreshToken: 'refresh-0', user: testUser }
  sent.mockImplementationOnce(async () => buildResponse(signedIn))
  await login({ email: testUser.email, password: 'x' })
  vi.advanceTimersByTime(44 * 60_000)
  await renewWhenDue()
  expect([renewals().length, storage.get('token')]).toEqual([0, 'token-0'])
  vi.advanceTimersByTime(60_000)
  await renewWhenDue()
  expect([renewals().length, storage.get('token'), storage.get('voisol_refresh_token')]).toEqual([
    1,
    'token-1',
    'refresh-1',
  ])
})

test('a tab hears of another’s renewal without asking who is signed in', async () => {
  server()
  const { waitForSession: sessionReady, followOtherTab } = await load()
  await sessionReady()
  sent.mockClear()
  storage.set('voisol_renewed', 'token-9').set('token', 'token-9')
  await followOtherTab('token-9')
  expect(sent).not.toHaveBeenCalled()
  storage.set('token', 'token-0')
  await followOtherTab('token-0')
  expect(sent).toHaveBeenCalledOnce()
})

test('a tab that cannot ask who has signed in elsewhere leaves the session to the others', async () => {
  server()
  const { waitForSession: sessionReady, followOtherTab } = await load()
  await sessionReady()
  storage.set('token', 'token-of-another')
  sent.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await followOtherTab('token-of-another')
  expect([storage.get('token'), storage.get('voisol_refresh_token')]).toEqual(['token-of-another', 'refresh-0'])
})

test('signing out forgets the refresh token', async () => {
  server()
  const { logout, waitForSession: sessionReady } = await load()
  await sessionReady()
  await logout('user', null)
  expect([...storage.keys()].filter((key) => /token|renew/.test(key))).toEqual([])
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildResponse, stubPage, stubStorage, testUser } from './fake-browser.ts'

const DAY = 86_400_000
let storage: Map<string, string>
let target: EventTarget & { visibilityState?: string; cookie?: string }

async function signedIn() {
  vi.resetModules()
  storage.set('token', 'abc')
  const session = await import('./session.ts')
  await session.waitForSession()
  const { watchSession } = await import('./activity.ts')
  return { ...session, ...(await import('./stores.ts')), stop: watchSession() }
}
const reason = () => JSON.parse(storage.get('voisol_logout_state') ?? '{}').reason

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  storage = stubStorage()
  stubPage()
  target = Object.assign(new EventTarget(), { visibilityState: 'visible', cookie: '' })
  vi.stubGlobal('document', target)
  vi.stubGlobal('window', target)
  vi.stubGlobal('fetch', async () => buildResponse(testUser))
})
afterEach(() => {
  vi.useRealTimers()
})

test('24 hours without activity end the session at the next check', async () => {
  const { sessionStore, stop } = await signedIn()
  vi.advanceTimersByTime(DAY - 30_000)
  expect(sessionStore.read().status).toBe('authenticated')
  vi.advanceTimersByTime(30_000)
  expect(sessionStore.read().status).toBe('anonymous')
  expect(reason()).toBe('inactivity')
  stop()
})

test('activity puts it off', async () => {
  const { sessionStore, stop } = await signedIn()
  vi.advanceTimersByTime(DAY / 2)
  target.dispatchEvent(new Event('keydown'))
  vi.advanceTimersByTime(DAY - 60_000)
  expect(sessionStore.read().status).toBe('authenticated')
  stop()
})

test('activity is written at most every ten seconds', async () => {
  const { stop } = await signedIn()
  const last = () => JSON.parse(storage.get('voisol_session_info') ?? '{}').lastActivity
  vi.advanceTimersByTime(1000)
  target.dispatchEvent(new Event('pointermove'))
  const first = last()
  vi.advanceTimersByTime(9999)
  target.dispatchEvent(new Event('pointermove'))
  expect(last()).toBe(first)
  vi.advanceTimersByTime(1)
  target.dispatchEvent(new Event('scroll'))
  expect(last()).toBe(first + 10_000)
  stop()
})

test('a tab that becomes visible again checks at once, and a movement does not revive what has expired', async () => {
  const { sessionStore, stop } = await signedIn()
  vi.setSystemTime(Date.now() + DAY)
  target.dispatchEvent(new Event('visibilitychange'))
  expect(sessionStore.read().status).toBe('anonymous')
  stop()
  const again = await signedIn()
  vi.setSystemTime(Date.now() + DAY)
  target.dispatchEvent(new Event('pointermove'))
  expect(again.sessionStore.read().status).toBe('anonymous')
  again.stop()
})

test('unreadable info is replaced, not taken for an expired session', async () => {
  const { sessionStore, stop } = await signedIn()
  storage.set('voisol_session_info', '{broken')
  vi.advanceTimersByTime(30_000)
  expect(sessionStore.read().status).toBe('authenticated')
  expect(JSON.parse(storage.get('voisol_session_info') ?? '')).toMatchObject({ userId: testUser.id })
  stop()
})

test('a logout in another tab ends the session here', async () => {
  const { sessionStore, stop } = await signedIn()
  target.dispatchEvent(Object.assign(new Event('storage'), { key: 'force_logout', newValue: 'true' }))
  expect(sessionStore.read().status).toBe('anonymous')
  stop()
})

test('once stopped, nothing is watched', async () => {
  const { sessionStore, stop } = await signedIn()
  stop()
  vi.advanceTimersByTime(2 * DAY)
  expect(sessionStore.read().status).toBe('authenticated')
})

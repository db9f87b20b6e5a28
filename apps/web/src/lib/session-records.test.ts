import { beforeEach, expect, test } from 'vitest'
import { stubStorage } from './fake-browser.ts'
import {
  clearLogoutHistory,
  closeSessionRecord,
  INACTIVITY_MS,
  isSessionEndEvent,
  isSessionExpired,
  LOGOUT_HISTORY,
  openSessionRecord,
  readLogoutHistory,
  readLogoutState,
  readSession,
  SESSION_INFO,
  touchSessionRecord,
} from './session-records.ts'

let storage: Map<string, string>
beforeEach(() => {
  storage = stubStorage()
})

test('the keys carry the name of the product', () => {
  openSessionRecord('u1')
  closeSessionRecord('u1', 'user')
  expect([...storage.keys()].sort()).toEqual(['voisol_logout_history', 'voisol_logout_state'])
})

test('a session goes on for the same person and begins anew for another', () => {
  const first = openSessionRecord('u1', { now: 1000 })
  expect(openSessionRecord('u1', { now: 2000 })).toEqual({
    userId: 'u1',
    lastActivity: 2000,
    sessionId: first.sessionId,
  })
  const second = openSessionRecord('u2', { now: 3000 })
  expect(second.sessionId).not.toBe(first.sessionId)
  expect(openSessionRecord('u2', { now: 3000, fresh: true }).sessionId).not.toBe(second.sessionId)
})

test('expired after 24 hours without activity, not a moment before', () => {
  const info = openSessionRecord('u1', { now: 0 })
  expect(isSessionExpired(info, INACTIVITY_MS - 1)).toBe(false)
  expect(isSessionExpired(info, INACTIVITY_MS)).toBe(true)
  touchSessionRecord('u1', 5000)
  expect(isSessionExpired(readSession(), INACTIVITY_MS)).toBe(false)
  expect(isSessionExpired(null)).toBe(false)
})

test('the state of a logout says who, when and why', () => {
  const { sessionId } = openSessionRecord('u1', { now: 10 })
  expect(readLogoutState()).toMatchObject({ isLoggedOut: false, reason: null, logoutTime: null })
  closeSessionRecord('u1', 'inactivity', 99)
  const record = { isLoggedOut: true, logoutTime: 99, reason: 'inactivity', sessionId, userId: 'u1', lastActivity: 10 }
  expect(readLogoutState()).toEqual(record)
  expect(readLogoutHistory()).toEqual([record])
  expect(readSession()).toBeNull()
})

test('the history keeps the last ten, newest first', () => {
  for (let i = 1; i <= 13; i++) closeSessionRecord('u1', 'user', i)
  expect(readLogoutHistory().map(({ logoutTime }) => logoutTime)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4])
  clearLogoutHistory()
  expect(readLogoutHistory()).toEqual([])
})

test.each(['', '{', 'null', '{"userId":1}', '[]', '"texte"'])('stored info %j is discarded', (text) => {
  storage.set(SESSION_INFO, text)
  expect(readSession()).toBeNull()
  expect(storage.has(SESSION_INFO)).toBe(false)
  storage.set(LOGOUT_HISTORY, text)
  expect(readLogoutHistory()).toEqual([])
})

test.each([
  [{ key: 'force_logout', newValue: 'true' }, true],
  [{ key: 'force_logout', newValue: null }, false],
  [{ key: 'token', newValue: null }, true],
  [{ key: 'token', newValue: 'other' }, false],
  [{ key: null, newValue: null }, true],
  [{ key: 'voisol_session_info', newValue: null }, false],
])('a change of %j in another tab ends the session: %s', (event, ends) => {
  expect(isSessionEndEvent(event)).toBe(ends)
})

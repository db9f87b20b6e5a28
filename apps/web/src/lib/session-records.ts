import { z } from 'zod'
import { randomId } from './random-id.ts'
import { FORCE_LOGOUT, readStorage, removeFromStorage, TOKEN, toStorageKey, writeStorage } from './storage.ts'

export const INACTIVITY_MS = 24 * 3_600_000
const MAX_LOGOUT_HISTORY = 10

export const SESSION_INFO = toStorageKey('session_info')
const LOGOUT_STATE = toStorageKey('logout_state')
export const LOGOUT_HISTORY = toStorageKey('logout_history')

const SessionInfo = z.object({ userId: z.string(), lastActivity: z.number(), sessionId: z.string() })
type SessionInfo = z.infer<typeof SessionInfo>

export const LogoutReason = z.enum(['user', 'inactivity', 'forced', 'other-tab', 'refused'])
export type LogoutReason = z.infer<typeof LogoutReason>

const LogoutState = z.object({
  isLoggedOut: z.boolean(),
  logoutTime: z.number().nullable(),
  reason: LogoutReason.nullable(),
  sessionId: z.string(),
  userId: z.string(),
  lastActivity: z.number(),
})
export type LogoutState = z.infer<typeof LogoutState>

/** What does not parse is discarded: it can only mislead. */
function readStored<T>(key: string, schema: z.ZodType<T>): T | null {
  const text = readStorage(key)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    removeFromStorage(key)
    return null
  }
}
const writeRecord = (key: string, value: SessionInfo | LogoutState | LogoutState[]) =>
  writeStorage(key, JSON.stringify(value))

export const readSession = () => readStored(SESSION_INFO, SessionInfo)
export const readLogoutState = () => readStored(LOGOUT_STATE, LogoutState)
export const readLogoutHistory = (): LogoutState[] => readStored(LOGOUT_HISTORY, z.array(LogoutState)) ?? []
export const clearLogoutHistory = () => removeFromStorage(LOGOUT_HISTORY)

export const isSessionExpired = (info: SessionInfo | null, now = Date.now()) =>
  info !== null && now - info.lastActivity >= INACTIVITY_MS

/** The session of that user goes on, or a new one begins. */
export function openSessionRecord(userId: string, { fresh = false, now = Date.now() } = {}): SessionInfo {
  const known = readSession()
  const sessionId = !fresh && known?.userId === userId ? known.sessionId : randomId()
  const info = { userId, lastActivity: now, sessionId }
  writeRecord(SESSION_INFO, info)
  writeRecord(LOGOUT_STATE, { isLoggedOut: false, logoutTime: null, reason: null, ...info })
  return info
}

export function touchSessionRecord(userId: string, now = Date.now()) {
  const known = readSession()
  if (known?.userId === userId) writeRecord(SESSION_INFO, { ...known, lastActivity: now })
  else openSessionRecord(userId, { now })
}

const addLogoutRecord = (history: LogoutState[], record: LogoutState) =>
  [record, ...history].slice(0, MAX_LOGOUT_HISTORY)

/** Newest first, the last ten. */
export function closeSessionRecord(userId: string, reason: LogoutReason, now = Date.now()) {
  const { sessionId, lastActivity } = readSession() ?? { sessionId: '', lastActivity: now }
  const record = { isLoggedOut: true, logoutTime: now, reason, sessionId, userId, lastActivity }
  writeRecord(LOGOUT_STATE, record)
  writeRecord(LOGOUT_HISTORY, addLogoutRecord(readLogoutHistory(), record))
  removeFromStorage(SESSION_INFO)
}

/** Whether another tab's change of the storage ends the session here too. */
export function isSessionEndEvent({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): boolean {
  if (key === null) return true
  if (key === TOKEN) return newValue === null
  return key === FORCE_LOGOUT && newValue === 'true'
}

import { z } from 'zod'
import { randomId } from './random-id.ts'
import { FORCE_LOGOUT, ownKey, read, remove, TOKEN, write } from './storage.ts'

export const INACTIVITY_MS = 24 * 3_600_000
const HISTORY_LENGTH = 10

export const SESSION_INFO = ownKey('session_info')
export const LOGOUT_STATE = ownKey('logout_state')
export const LOGOUT_HISTORY = ownKey('logout_history')

const SessionInfo = z.object({ userId: z.string(), lastActivity: z.number(), sessionId: z.string() })
export type SessionInfo = z.infer<typeof SessionInfo>

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
function stored<T>(key: string, schema: z.ZodType<T>): T | null {
  const text = read(key)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    remove(key)
    return null
  }
}
const store = (key: string, value: SessionInfo | LogoutState | LogoutState[]) => write(key, JSON.stringify(value))

export const readSession = () => stored(SESSION_INFO, SessionInfo)
export const readLogoutState = () => stored(LOGOUT_STATE, LogoutState)
export const readHistory = (): LogoutState[] => stored(LOGOUT_HISTORY, z.array(LogoutState)) ?? []
export const clearHistory = () => remove(LOGOUT_HISTORY)

export const isExpired = (info: SessionInfo | null, now = Date.now()) =>
  info !== null && now - info.lastActivity >= INACTIVITY_MS

/** The session of that user goes on, or a new one begins. */
export function openRecord(userId: string, { fresh = false, now = Date.now() } = {}): SessionInfo {
  const known = readSession()
  const sessionId = !fresh && known?.userId === userId ? known.sessionId : randomId()
  const info = { userId, lastActivity: now, sessionId }
  store(SESSION_INFO, info)
  store(LOGOUT_STATE, { isLoggedOut: false, logoutTime: null, reason: null, ...info })
  return info
}

export function touchRecord(userId: string, now = Date.now()) {
  const known = readSession()
  if (known?.userId === userId) store(SESSION_INFO, { ...known, lastActivity: now })
  else openRecord(userId, { now })
}

export const withRecord = (history: LogoutState[], record: LogoutState) => [record, ...history].slice(0, HISTORY_LENGTH)

/** Newest first, the last ten. */
export function closeRecord(userId: string, reason: LogoutReason, now = Date.now()) {
  const { sessionId, lastActivity } = readSession() ?? { sessionId: '', lastActivity: now }
  const record = { isLoggedOut: true, logoutTime: now, reason, sessionId, userId, lastActivity }
  store(LOGOUT_STATE, record)
  store(LOGOUT_HISTORY, withRecord(readHistory(), record))
  remove(SESSION_INFO)
}

/** Whether another tab's change of the storage ends the session here too. */
export function endsSession({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): boolean {
  if (key === null) return true
  if (key === TOKEN) return newValue === null
  return key === FORCE_LOGOUT && newValue === 'true'
}

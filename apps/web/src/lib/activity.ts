import { renewTokenWhenDue } from './renewal.ts'
import { endWithOtherTab, followOtherTab, logout } from './session.ts'
import { followSessionMove } from './session-place.ts'
import { isSessionEndEvent, isSessionExpired, readSession, touchSessionRecord } from './session-records.ts'
import { SESSION_LOCATION, TOKEN } from './storage.ts'
import { sessionStore } from './stores.ts'

export const SESSION_CHECK_MS = 30_000
/** Activity is written at most this often: the pointer alone would write sixty times a second. */
const ACTIVITY_WRITE_MS = 10_000
const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const

/** True when the session had expired: it is then over. */
export function checkSession(now = Date.now()): boolean {
  const { user } = sessionStore.read()
  if (!user) return false
  const info = readSession()
  if (info === null) touchSessionRecord(user.id, now)
  if (!isSessionExpired(info, now)) {
    void renewTokenWhenDue(now)
    return false
  }
  void logout('inactivity')
  return true
}

/** The first movement after a night must not revive the session it finds expired. */
function createActivityWriter() {
  let written = 0
  return (now = Date.now()) => {
    const { user } = sessionStore.read()
    if (!user || now - written < ACTIVITY_WRITE_MS) return
    written = now
    if (!checkSession(now)) touchSessionRecord(user.id, now)
  }
}

export function handleStorageEvent(event: Pick<StorageEvent, 'key' | 'newValue'>) {
  if (isSessionEndEvent(event)) endWithOtherTab()
  else if (event.key === TOKEN && event.newValue) void followOtherTab(event.newValue)
  else if (event.key === SESSION_LOCATION && sessionStore.read().user) void followSessionMove().catch(console.warn)
}

/** Watches this tab until the returned function is called. */
export function watchSession(): () => void {
  const onActivity = createActivityWriter()
  const active = () => onActivity()
  const visible = () => document.visibilityState === 'visible' && checkSession()
  const timer = setInterval(() => checkSession(), SESSION_CHECK_MS)
  for (const name of ACTIVITY_EVENTS) window.addEventListener(name, active, { passive: true, capture: true })
  document.addEventListener('visibilitychange', visible)
  window.addEventListener('storage', handleStorageEvent)
  return () => {
    clearInterval(timer)
    for (const name of ACTIVITY_EVENTS) window.removeEventListener(name, active, { capture: true })
    document.removeEventListener('visibilitychange', visible)
    window.removeEventListener('storage', handleStorageEvent)
  }
}

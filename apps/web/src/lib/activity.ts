import { followPlace } from './place.ts'
import { renewWhenDue } from './renewal.ts'
import { endWithOtherTab, followOtherTab, logout } from './session.ts'
import { endsSession, isExpired, readSession, touchRecord } from './session-records.ts'
import { sessionStore } from './session-store.ts'
import { PLACE, TOKEN } from './storage.ts'

export const CHECK_MS = 30_000
/** Activity is written at most this often: the pointer alone would write sixty times a second. */
const WRITE_MS = 10_000
const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const

/** True when the session had expired: it is then over. */
export function checkSession(now = Date.now()): boolean {
  const { user } = sessionStore.read()
  if (!user) return false
  const info = readSession()
  if (info === null) touchRecord(user.id, now)
  if (!isExpired(info, now)) {
    void renewWhenDue(now)
    return false
  }
  void logout('inactivity')
  return true
}

/** The first movement after a night must not revive the session it finds expired. */
export function activityWriter() {
  let written = 0
  return (now = Date.now()) => {
    const { user } = sessionStore.read()
    if (!user || now - written < WRITE_MS) return
    written = now
    if (!checkSession(now)) touchRecord(user.id, now)
  }
}

export function onStorage(event: Pick<StorageEvent, 'key' | 'newValue'>) {
  if (endsSession(event)) endWithOtherTab()
  else if (event.key === TOKEN && event.newValue) void followOtherTab(event.newValue)
  else if (event.key === PLACE && sessionStore.read().user) void followPlace().catch(console.warn)
}

/** Watches this tab until the returned function is called. */
export function watchSession(): () => void {
  const onActivity = activityWriter()
  const active = () => onActivity()
  const visible = () => document.visibilityState === 'visible' && checkSession()
  const timer = setInterval(() => checkSession(), CHECK_MS)
  for (const name of ACTIVITY) window.addEventListener(name, active, { passive: true, capture: true })
  document.addEventListener('visibilitychange', visible)
  window.addEventListener('storage', onStorage)
  return () => {
    clearInterval(timer)
    for (const name of ACTIVITY) window.removeEventListener(name, active, { capture: true })
    document.removeEventListener('visibilitychange', visible)
    window.removeEventListener('storage', onStorage)
  }
}

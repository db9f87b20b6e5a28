import { readLogoutHistory, readLogoutState, readSession } from '../../lib/session-records.ts'
import { FORCE_LOGOUT, readStorage, TOKEN } from '../../lib/storage.ts'

/** What this browser holds about the session, at one moment. */
export const readSessionSnapshot = (at = Date.now()) => ({
  info: readSession(),
  state: readLogoutState(),
  history: readLogoutHistory(),
  token: readStorage(TOKEN) !== null,
  forced: readStorage(FORCE_LOGOUT) !== null,
  at,
})
export type SessionSnapshot = ReturnType<typeof readSessionSnapshot>

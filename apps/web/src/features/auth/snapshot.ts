import { readHistory, readLogoutState, readSession } from '../../lib/session-records.ts'
import { FORCE_LOGOUT, read, TOKEN } from '../../lib/storage.ts'

/** What this browser holds about the session, at one moment. */
export const takeSnapshot = (at = Date.now()) => ({
  info: readSession(),
  state: readLogoutState(),
  history: readHistory(),
  token: read(TOKEN) !== null,
  forced: read(FORCE_LOGOUT) !== null,
  at,
})
export type Snapshot = ReturnType<typeof takeSnapshot>

import type { LogoutReason } from '../../lib/session-records.ts'

export const LOGOUT_REASON_LABELS: Record<LogoutReason, string> = {
  user: 'À la demande de la personne',
  inactivity: '24\u00a0heures sans activité',
  forced: 'Déconnexion forcée',
  'other-tab': 'Déconnexion dans un autre onglet',
  refused: 'Session fermée par le serveur',
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** « 23 h 59 min », rounded down: never promises more than is left. */
export function formatHoursAndMinutes(ms: number) {
  const left = Math.max(0, ms)
  return `${Math.floor(left / HOUR_MS)}\u00a0h ${String(Math.floor((left % HOUR_MS) / MINUTE_MS)).padStart(2, '0')}\u00a0min`
}

/** Enough of an identifier to tell two apart. */
export const shortenId = (id: string) => (id.length > 12 ? `${id.slice(0, 8)}…` : id || '—')

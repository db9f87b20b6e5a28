import { LAST_FIGURES, writeStorage } from './storage.ts'
import { sessionStore } from './stores.ts'

type OfflineFigures = { sentence: string; note: string; lines: { label: string; figure: string }[] }

/** Kept on this device for when there is no network; `portal-offline.js` says how old they are. Signing out forgets them. */
export function storeOfflineFigures(figures: OfflineFigures, now = new Date()) {
  const { user } = sessionStore.read()
  if (user?.space !== 'portal' || user.viewing) return
  const lines = figures.lines.map(({ label, figure }) => ({ label, figure }))
  writeStorage(LAST_FIGURES, JSON.stringify({ ...figures, lines, name: user.firstName, at: now.toISOString() }))
}

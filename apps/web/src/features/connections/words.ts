import type { Connection, ConnectionRun, Schedule } from '@voisol/contract/connections'
import { formatNumber } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export const CONNECTION_STATE_BADGES: Record<Connection['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  paused: { label: 'En pause', tone: 'warning' },
  stopped: { label: 'Arrêtée', tone: 'danger' },
}
export const CONNECTION_RUN_STATE_BADGES: Record<ConnectionRun['state'], { label: string; tone: Tone }> = {
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Réussi', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
}
export const SCHEDULE_LABELS: Record<Schedule, string> = {
  none: 'À la demande',
  'six-hours': 'Toutes les six heures',
  night: 'Chaque nuit',
  week: 'Chaque lundi, la nuit',
  month: 'Le premier du mois, la nuit',
}
export const SCHEDULE_OPTIONS = Object.entries(SCHEDULE_LABELS).map(([value, label]) => ({ value, label }))

/** It goes somewhere by itself; a sender and a feed wait to be asked. */
export const isAutomatic = ({ can }: Pick<Connection, 'can'>) => can.includes('deliver') || can.includes('fetch')

/** What it waits for, where it does not run by itself. */
export const describeSchedule = (connection: Pick<Connection, 'can' | 'schedule'>) => {
  if (connection.can.includes('feed')) return 'Quand votre outil lit'
  if (connection.can.includes('mail')) return 'À chaque message'
  return SCHEDULE_LABELS[connection.schedule]
}

/** « 1,4 Mo ». */
export const formatFileSize = (bytes: number) => {
  if (bytes < 1000) return `${formatNumber(bytes)}\u00a0o`
  return bytes < 1e6 ? `${formatNumber(bytes / 1e3, 1)}\u00a0ko` : `${formatNumber(bytes / 1e6, 1)}\u00a0Mo`
}

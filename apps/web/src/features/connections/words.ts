import type { Connection, ConnectionRun, Schedule } from '@voisol/contract/connections'
import { number } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export const STATES: Record<Connection['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  paused: { label: 'En pause', tone: 'warning' },
  stopped: { label: 'Arrêtée', tone: 'danger' },
}
export const RUNS: Record<ConnectionRun['state'], { label: string; tone: Tone }> = {
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Réussi', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
}
export const SCHEDULES: Record<Schedule, string> = {
  none: 'À la demande',
  'six-hours': 'Toutes les six heures',
  night: 'Chaque nuit',
  week: 'Chaque lundi, la nuit',
  month: 'Le premier du mois, la nuit',
}
export const SCHEDULE_OPTIONS = Object.entries(SCHEDULES).map(([value, label]) => ({ value, label }))

/** It goes somewhere by itself; a sender and a feed wait to be asked. */
export const runs = ({ can }: Pick<Connection, 'can'>) => can.includes('deliver') || can.includes('fetch')

/** What it waits for, where it does not run by itself. */
export const paceOf = (connection: Pick<Connection, 'can' | 'schedule'>) => {
  if (connection.can.includes('feed')) return 'Quand votre outil lit'
  if (connection.can.includes('mail')) return 'À chaque message'
  return SCHEDULES[connection.schedule]
}

/** « 1,4 Mo ». */
export const size = (bytes: number) => {
  if (bytes < 1000) return `${number(bytes)}\u00a0o`
  return bytes < 1e6 ? `${number(bytes / 1e3, 1)}\u00a0ko` : `${number(bytes / 1e6, 1)}\u00a0Mo`
}

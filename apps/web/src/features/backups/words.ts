import type { CompanyCopy, CopyRun, InstallationCopy } from '@voisol/contract/backups'
import { number, plural } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

/** « 1,4 Mo ». */
export const fileSize = (bytes: number) =>
  bytes < 1e6
    ? `${number(Math.max(1, bytes / 1e3), 0)}\u00a0ko`
    : bytes < 1e9
      ? `${number(bytes / 1e6, 1)}\u00a0Mo`
      : `${number(bytes / 1e9, 2)}\u00a0Go`

export const duration = (seconds: number) =>
  seconds < 90 ? plural(seconds, 'seconde') : plural(Math.round(seconds / 60), 'minute')

export const RUN_KINDS: Record<CopyRun['kind'], string> = {
  copy: 'Copie',
  verify: 'Relecture',
  drill: 'Essai de restauration',
}
export const RUN_STATES: Record<CopyRun['state'], { label: string; tone: Tone }> = {
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Réussi', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
}
type CopyState = { label: string; tone: Tone }
const EXPORT_STATES: Record<CompanyCopy['state'], CopyState> = {
  waiting: { label: 'En préparation', tone: 'info' },
  read: { label: 'À confirmer', tone: 'warning' },
  done: { label: 'Prête', tone: 'success' },
  failed: { label: 'Échouée', tone: 'danger' },
  expired: { label: 'Effacée', tone: 'neutral' },
}
const IMPORT_STATES: Record<CompanyCopy['state'], CopyState> = {
  ...EXPORT_STATES,
  waiting: { label: 'Lecture en cours', tone: 'info' },
  done: { label: 'Reprise terminée', tone: 'success' },
  failed: { label: 'Non reprise', tone: 'danger' },
}
/** An archive to import waits twice: to be read, and once it was confirmed to be written. */
export function getCopyState({ kind, state, preview }: CompanyCopy): CopyState {
  if (kind === 'export') return EXPORT_STATES[state]
  return state === 'waiting' && preview ? { label: 'Reprise en cours', tone: 'info' } : IMPORT_STATES[state]
}
const PERIODS = { day: 'du jour', week: 'de la semaine', month: 'du mois' }
export const keptWords = (reasons: InstallationCopy['keptFor']) =>
  reasons.length ? `Dernière ${reasons.map((reason) => PERIODS[reason]).join(', ')}` : 'Partira à la prochaine copie'

export const WEEKDAYS = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']

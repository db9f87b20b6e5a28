import type { backups, CompanyCopy, CopyRun } from '@voisol/contract/backups'
import type { EndpointReply } from '@voisol/contract/endpoint'
import type { Tone } from '../../../components/badge.tsx'
import { FactList } from '../../../components/card.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDateTime, formatNumber, formatRelativeTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'

/** Where the copies of the installation stand: what was done last, what comes next, what they need to be opened. */
export function CopyFacts({ data }: { data: EndpointReply<typeof backups.installation> }) {
  const [last] = data.copies
  const drill = data.runs.find(({ kind, state }) => kind === 'drill' && state !== 'running')
  const failedDrill = drill?.state === 'failed' ? 'échoué, ' : ''
  return (
    <FactList
      facts={[
        { label: 'Gardées dans', value: data.place },
        { label: 'Dernière copie', value: last ? formatRelativeTime(last.madeAt) : 'aucune' },
        {
          label: 'Dernier essai de restauration',
          value:
            drill?.seconds != null
              ? `${failedDrill}${formatRelativeTime(drill.startedAt)}, en ${formatCopyDuration(drill.seconds)}`
              : 'aucun',
        },
        { label: 'Prochaine copie', value: data.next ? formatDateTime(data.next) : 'à la demande' },
        { label: 'Prochain essai', value: data.nextDrill ? formatDateTime(data.nextDrill) : 'à la demande' },
        { label: 'Clé des secrets à garder', value: last ? `SECRET_KEY d’empreinte ${last.secretPrint}` : '—' },
      ]}
    />
  )
}

/** « 1,4 Mo ». */
export const formatFileSize = (bytes: number) =>
  bytes < 1e6
    ? `${formatNumber(Math.max(1, bytes / 1e3), 0)}\u00a0ko`
    : bytes < 1e9
      ? `${formatNumber(bytes / 1e6, 1)}\u00a0Mo`
      : `${formatNumber(bytes / 1e9, 2)}\u00a0Go`

export const formatCopyDuration = (seconds: number) =>
  seconds < 90 ? formatCount(seconds, 'seconde') : formatCount(Math.round(seconds / 60), 'minute')

export const COPY_RUN_KIND_LABELS: Record<CopyRun['kind'], string> = {
  copy: 'Copie',
  verify: 'Relecture',
  drill: 'Essai de restauration',
}
export const COPY_RUN_STATE_BADGES: Record<CopyRun['state'], { label: string; tone: Tone }> = {
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

export const showFailure = (error: unknown) =>
  void toast({ title: 'Non effectué', description: explainError(error), variant: 'destructive' })
export const notifyStarted = (title: string) => () => void toast({ title, variant: 'success' })

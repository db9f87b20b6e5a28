import { type Connection, type ConnectionRun, connections, type Schedule } from '@voisol/contract/connections'
import type { Tone } from '../../../components/badge.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

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
const SCHEDULE_LABELS: Record<Schedule, string> = {
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

const notifyOutcome = (work: Promise<unknown>, title: string) =>
  work.then(
    () => void toast({ title, variant: 'success' }),
    (error: unknown) => void toast({ title: 'Non effectué', description: explainError(error), variant: 'destructive' }),
  )

/** What can be done with a connection as it is now; for those who may change it. One follows what one has launched. */
export function useConnectionActions(connection: Connection) {
  const start = useAction(connections.start, [connections.list, connections.runs])
  const move = useAction(connections.move, [connections.list])
  const params = { id: connection.id }
  const active = connection.state === 'active'
  const run = {
    label: 'Lancer maintenant',
    follow: true,
    busy: start.isPending,
    go: () => notifyOutcome(start.run({ params }), 'Le passage est lancé'),
  }
  const pause = {
    label: 'Mettre en pause',
    follow: false,
    busy: move.isPending,
    go: () => notifyOutcome(move.run({ params, body: { state: 'paused' } }), 'Connexion en pause'),
  }
  const resume = {
    label: 'Reprendre',
    follow: false,
    busy: move.isPending,
    go: () => notifyOutcome(move.run({ params, body: { state: 'active' } }), 'Connexion reprise'),
  }
  // A feed lives and ends with its token.
  if (connection.can.includes('feed')) return []
  if (!active) return [resume]
  return isAutomatic(connection) ? [run, pause] : [pause]
}

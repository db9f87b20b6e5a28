import type { backups } from '@voisol/contract/backups'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { formatDateTime, formatRelativeTime } from '../../lib/format.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { formatCopyDuration } from './words.ts'

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

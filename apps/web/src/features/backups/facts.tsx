import type { backups } from '@voisol/contract/backups'
import type { Reply } from '@voisol/contract/endpoint'
import { dateTime, relative } from '../../lib/format.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { duration } from './words.ts'

/** Where the copies of the installation stand: what was done last, what comes next, what they need to be opened. */
export function CopyFacts({ data }: { data: Reply<typeof backups.installation> }) {
  const [last] = data.copies
  const drill = data.runs.find(({ kind, state }) => kind === 'drill' && state !== 'running')
  const failedDrill = drill?.state === 'failed' ? 'échoué, ' : ''
  return (
    <FactList
      facts={[
        { label: 'Gardées dans', value: data.place },
        { label: 'Dernière copie', value: last ? relative(last.madeAt) : 'aucune' },
        {
          label: 'Dernier essai de restauration',
          value:
            drill?.seconds != null
              ? `${failedDrill}${relative(drill.startedAt)}, en ${duration(drill.seconds)}`
              : 'aucun',
        },
        { label: 'Prochaine copie', value: data.next ? dateTime(data.next) : 'à la demande' },
        { label: 'Prochain essai', value: data.nextDrill ? dateTime(data.nextDrill) : 'à la demande' },
        { label: 'Clé des secrets à garder', value: last ? `SECRET_KEY d’empreinte ${last.secretPrint}` : '—' },
      ]}
    />
  )
}

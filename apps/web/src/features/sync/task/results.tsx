import type { SyncTask } from '@voisol/contract/sync'
import { number, plural } from '../../../lib/format.ts'
import { Tile } from '../../../ui/tile.tsx'

type Figure = { label: string; figure: string; note?: string }

const callsOf = ({ counts: { windows, done, failed, calls } }: SyncTask): Figure[] => [
  {
    label: 'Demandes abouties',
    figure: `${number(done)} sur ${number(windows)}`,
    note: `${plural(calls, 'appel fait', 'appels faits')}, essais compris.`,
  },
  {
    label: 'Demandes en échec',
    figure: number(failed),
    note: failed > 0 ? 'Le motif est dans le tableau.' : undefined,
  },
]
const readingsOf = ({ counts: { readings, newDays, changedDays, sameDays } }: SyncTask): Figure[] => [
  { label: 'Relevés reçus', figure: number(readings) },
  { label: 'Jours nouveaux', figure: number(newDays) },
  {
    label: 'Jours corrigés',
    figure: number(changedDays),
    note: changedDays > 0 ? 'L’ancienne version est gardée.' : undefined,
  },
  { label: 'Jours inchangés', figure: number(sameDays) },
]

/** What the task has brought; only readings come by days. */
export const Results = ({ task }: { task: SyncTask }) => (
  <section aria-label="Résultat" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">
    {[...callsOf(task), ...(task.kind === 'load-curve' || task.counts.readings > 0 ? readingsOf(task) : [])].map(
      (tile) => (
        <Tile key={tile.label} {...tile} />
      ),
    )}
  </section>
)

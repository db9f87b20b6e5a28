import type { SyncTask } from '@voisol/contract/sync'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { KpiTile } from '../../../ui/tile.tsx'

type Figure = { label: string; figure: string; note?: string }

const buildCallFigures = ({ counts: { windows, done, failed, calls } }: SyncTask): Figure[] => [
  {
    label: 'Demandes abouties',
    figure: `${formatNumber(done)} sur ${formatNumber(windows)}`,
    note: `${formatCount(calls, 'appel fait', 'appels faits')}, essais compris.`,
  },
  {
    label: 'Demandes en échec',
    figure: formatNumber(failed),
    note: failed > 0 ? 'Le motif est dans le tableau.' : undefined,
  },
]
const buildReadingFigures = ({ counts: { readings, newDays, changedDays, sameDays } }: SyncTask): Figure[] => [
  { label: 'Relevés reçus', figure: formatNumber(readings) },
  { label: 'Jours nouveaux', figure: formatNumber(newDays) },
  {
    label: 'Jours corrigés',
    figure: formatNumber(changedDays),
    note: changedDays > 0 ? 'L’ancienne version est gardée.' : undefined,
  },
  { label: 'Jours inchangés', figure: formatNumber(sameDays) },
]

/** What the task has brought; only readings come by days. */
export const TaskResults = ({ task }: { task: SyncTask }) => (
  <section aria-label="Résultat" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">
    {[
      ...buildCallFigures(task),
      ...(task.kind === 'load-curve' || task.counts.readings > 0 ? buildReadingFigures(task) : []),
    ].map((tile) => (
      <KpiTile key={tile.label} {...tile} />
    ))}
  </section>
)

import type { SyncTask } from '@voisol/contract/sync'
import { SYNC_KIND_LABELS, SYNC_TRIGGER_LABELS } from '../../lib/distributor-labels.ts'
import { formatCount, formatDateTime, formatNumber } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { SyncState } from '../../ui/sync-state.tsx'
import type { Column } from '../../ui/table.tsx'
import { formatTaskAuthor, formatTaskPeriod, getTaskPath } from './words.ts'

const SecondLine = ({ children }: { children: string }) => (
  <span className="block text-[0.8125rem] text-ink-soft">{children}</span>
)

const formatCalls = ({ counts: { windows, done, failed } }: SyncTask) =>
  `${formatNumber(done)} sur ${formatNumber(windows)}${failed > 0 ? `, ${formatCount(failed, 'échec')}` : ''}`
const formatNewDays = ({ counts: { newDays, changedDays } }: SyncTask) =>
  [
    newDays > 0 && formatCount(newDays, 'jour nouveau', 'jours nouveaux'),
    changedDays > 0 && formatCount(changedDays, 'corrigé', 'corrigés'),
  ]
    .filter(Boolean)
    .join(', ')

export const syncTaskColumns: Column<SyncTask>[] = [
  {
    header: 'Opération',
    card: 'title',
    sort: 'operationName',
    cell: ({ id, operationName, kind }) => (
      <span className="block min-w-44 py-1">
        <Link to={getTaskPath(id)} className="font-medium text-link">
          {operationName}
        </Link>
        <SecondLine>{SYNC_KIND_LABELS[kind].label}</SecondLine>
      </span>
    ),
  },
  {
    header: 'Période',
    card: 'secondary',
    sort: 'from',
    cell: (task) => (
      <span className="block min-w-48">
        {formatTaskPeriod(task)}
        <SecondLine>{formatCount(task.points, 'point')}</SecondLine>
      </span>
    ),
  },
  { header: 'État', card: 'primary', sort: 'status', cell: (task) => <SyncState task={task} /> },
  {
    header: 'Demandes abouties',
    card: 'primary',
    cell: (task) => (
      <span className="tabular block whitespace-nowrap">
        {formatCalls(task)}
        <SecondLine>{formatNewDays(task)}</SecondLine>
      </span>
    ),
  },
  {
    header: 'Demandée',
    card: 'primary',
    sort: 'createdAt',
    cell: (task) => (
      <span className="block whitespace-nowrap">
        {formatDateTime(task.createdAt)}
        <SecondLine>
          {formatTaskAuthor(task)
            ? `${SYNC_TRIGGER_LABELS[task.trigger]}, ${formatTaskAuthor(task)}`
            : SYNC_TRIGGER_LABELS[task.trigger]}
        </SecondLine>
      </span>
    ),
  },
]

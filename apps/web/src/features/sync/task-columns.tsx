import type { SyncTask } from '@voisol/contract/sync'
import { SYNC_KINDS, SYNC_TRIGGERS } from '../../lib/distributor-labels.ts'
import { dateTime, number, plural } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { SyncState } from '../../ui/sync-state.tsx'
import type { Column } from '../../ui/table.tsx'
import { authorOf, periodOf, taskAddress } from './words.ts'

const Second = ({ children }: { children: string }) => (
  <span className="block text-[0.8125rem] text-ink-soft">{children}</span>
)

const callsText = ({ counts: { windows, done, failed } }: SyncTask) =>
  `${number(done)} sur ${number(windows)}${failed > 0 ? `, ${plural(failed, 'échec')}` : ''}`
const daysText = ({ counts: { newDays, changedDays } }: SyncTask) =>
  [
    newDays > 0 && plural(newDays, 'jour nouveau', 'jours nouveaux'),
    changedDays > 0 && plural(changedDays, 'corrigé', 'corrigés'),
  ]
    .filter(Boolean)
    .join(', ')

export const columns: Column<SyncTask>[] = [
  {
    header: 'Opération',
    card: 'title',
    sort: 'operationName',
    cell: ({ id, operationName, kind }) => (
      <span className="block min-w-44 py-1">
        <Link to={taskAddress(id)} className="font-medium text-link">
          {operationName}
        </Link>
        <Second>{SYNC_KINDS[kind].label}</Second>
      </span>
    ),
  },
  {
    header: 'Période',
    card: 'secondary',
    sort: 'from',
    cell: (task) => (
      <span className="block min-w-48">
        {periodOf(task)}
        <Second>{plural(task.points, 'point')}</Second>
      </span>
    ),
  },
  { header: 'État', card: 'primary', sort: 'status', cell: (task) => <SyncState task={task} /> },
  {
    header: 'Demandes abouties',
    card: 'primary',
    cell: (task) => (
      <span className="tabular block whitespace-nowrap">
        {callsText(task)}
        <Second>{daysText(task)}</Second>
      </span>
    ),
  },
  {
    header: 'Demandée',
    card: 'primary',
    sort: 'createdAt',
    cell: (task) => (
      <span className="block whitespace-nowrap">
        {dateTime(task.createdAt)}
        <Second>
          {authorOf(task) ? `${SYNC_TRIGGERS[task.trigger]}, ${authorOf(task)}` : SYNC_TRIGGERS[task.trigger]}
        </Second>
      </span>
    ),
  },
]

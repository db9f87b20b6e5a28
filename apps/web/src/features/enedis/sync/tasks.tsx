import { operations } from '@voisol/contract/operations'
import { type SyncTask, sync } from '@voisol/contract/sync'
import Plus from 'lucide-react/icons/plus'
import { useNavigate } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { DataRequestDialog } from '../../../components/data-request/request-dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { isTaskActive, SyncState } from '../../../components/sync-status.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { SYNC_KIND_LABELS, SYNC_STATUS_LABELS, SYNC_TRIGGER_LABELS } from '../../../lib/distributor-labels.ts'
import { toChoices } from '../../../lib/energy-labels.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'
import { useDialogParam } from '../../../lib/use-dialog-param.ts'
import { formatTaskAuthor, formatTaskPeriod, getTaskPath, useRefetchWhileWorking } from './labels.ts'
import { FilterSelect, SyncOperationFilter } from './operation-filter.tsx'
import { TaskActions } from './task-actions.tsx'

export default function SyncTasks() {
  const navigate = useNavigate()
  const list = useList(sync.tasks)
  useRefetchWhileWorking(list.items.some(isTaskActive), list.refetch)
  const [isNew, setNew] = useDialogParam('nouvelle')
  const { filters, setFilters } = list
  const can = useCan()
  const canRequest = can(sync.start) && can(operations.list)
  const requestButton = canRequest && (
    <Button icon={<Plus aria-hidden="true" />} onClick={() => setNew(true)}>
      Demander des données
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Tâches de synchronisation"
        description="Ce qui est demandé au distributeur, chaque jour ou par vous, et ce qui en est arrivé. Enedis publie les courbes de la veille une fois par jour, dans la matinée."
        actions={requestButton}
      />
      <ListScreen
        list={list}
        label="Tâches de synchronisation"
        search="Rechercher une opération"
        columns={syncTaskColumns}
        filters={
          <>
            <SyncOperationFilter value={filters.operationId} onChange={(operationId) => setFilters({ operationId })} />
            <FilterSelect
              label="Données"
              all="Toutes les données"
              options={toChoices(SYNC_KIND_LABELS)}
              value={filters.kind}
              onChange={(kind) => setFilters({ kind })}
              className="sm:max-w-52"
            />
            <FilterChips
              label="État"
              options={toChoices(SYNC_STATUS_LABELS)}
              value={filters.status}
              onChange={(status) => setFilters({ status })}
            />
          </>
        }
        rowActions={(task) => <TaskActions task={task} size="small" quiet />}
        empty={
          <EmptyState
            title="Aucune synchronisation"
            why={`Les relevés de la veille sont demandés chaque matin pour les opérations en service.${canRequest ? ' Vous pouvez aussi demander un historique.' : ''}`}
            action={requestButton}
          />
        }
      />
      {canRequest && (
        <DataRequestDialog
          open={isNew}
          onOpenChange={setNew}
          suggested={filters.operationId}
          onStarted={({ id }) => void navigate(getTaskPath(id))}
        />
      )}
    </>
  )
}

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

const syncTaskColumns: Column<SyncTask>[] = [
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

import { operations } from '@voisol/contract/operations'
import { sync } from '@voisol/contract/sync'
import Plus from 'lucide-react/icons/plus'
import { useNavigate } from 'react-router'
import { useCan } from '../../lib/can.tsx'
import { SYNC_KIND_LABELS, SYNC_STATUS_LABELS } from '../../lib/distributor-labels.ts'
import { toChoices } from '../../lib/energy-labels.ts'
import { useDialogParam } from '../../lib/opened.ts'
import { useList } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { DataRequestDialog } from '../../ui/data-request/request-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { isTaskActive } from '../../ui/sync-state.tsx'
import { useRefetchWhileWorking } from './follow.ts'
import { FilterSelect, SyncOperationFilter } from './operation-filter.tsx'
import { TaskActions } from './task-actions.tsx'
import { syncTaskColumns } from './task-columns.tsx'
import { getTaskPath } from './words.ts'

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

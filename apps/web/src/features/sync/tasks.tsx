import { operations } from '@voisol/contract/operations'
import { sync } from '@voisol/contract/sync'
import Plus from 'lucide-react/icons/plus'
import { useNavigate } from 'react-router'
import { useCan } from '../../lib/can.tsx'
import { SYNC_KINDS, SYNC_STATUSES } from '../../lib/distributor-labels.ts'
import { choices } from '../../lib/energy-labels.ts'
import { useOpened } from '../../lib/opened.ts'
import { useList } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { RequestDialog } from '../../ui/data-request/request-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { isAtWork } from '../../ui/sync-state.tsx'
import { useFollow } from './follow.ts'
import { Choice, OperationFilter } from './operation-filter.tsx'
import { TaskActions } from './task-actions.tsx'
import { columns } from './task-columns.tsx'
import { taskAddress } from './words.ts'

export default function SyncTasks() {
  const navigate = useNavigate()
  const list = useList(sync.tasks)
  useFollow(list.items.some(isAtWork), list.refetch)
  const [isNew, setNew] = useOpened('nouvelle')
  const { filters, setFilters } = list
  const can = useCan()
  const asks = can(sync.start) && can(operations.list)
  const ask = asks && (
    <Button icon={<Plus aria-hidden="true" />} onClick={() => setNew(true)}>
      Demander des données
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Tâches de synchronisation"
        description="Ce qui est demandé au distributeur, chaque jour ou par vous, et ce qui en est arrivé. Enedis publie les courbes de la veille une fois par jour, dans la matinée."
        actions={ask}
      />
      <ListScreen
        list={list}
        label="Tâches de synchronisation"
        search="Rechercher une opération"
        columns={columns}
        filters={
          <>
            <OperationFilter value={filters.operationId} onChange={(operationId) => setFilters({ operationId })} />
            <Choice
              label="Données"
              all="Toutes les données"
              options={choices(SYNC_KINDS)}
              value={filters.kind}
              onChange={(kind) => setFilters({ kind })}
              className="sm:max-w-52"
            />
            <FilterChips
              label="État"
              options={choices(SYNC_STATUSES)}
              value={filters.status}
              onChange={(status) => setFilters({ status })}
            />
          </>
        }
        rowActions={(task) => <TaskActions task={task} size="small" quiet />}
        empty={
          <EmptyState
            title="Aucune synchronisation"
            why={`Les relevés de la veille sont demandés chaque matin pour les opérations en service.${asks ? ' Vous pouvez aussi demander un historique.' : ''}`}
            action={ask}
          />
        }
      />
      {asks && (
        <RequestDialog
          open={isNew}
          onOpenChange={setNew}
          suggested={filters.operationId}
          onStarted={({ id }) => void navigate(taskAddress(id))}
        />
      )}
    </>
  )
}

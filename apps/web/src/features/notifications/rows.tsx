import { Button } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { hasActiveFilters, NOTIFICATIONS_PAGE_SIZE, type NotificationFilters } from './filters.ts'
import { NotificationItem } from './item.tsx'
import type { NotificationScreenState } from './use-screen.ts'

const ListLoading = () => (
  <div role="status" className="divide-y divide-line">
    <span className="sr-only">Chargement des notifications…</span>
    {[0, 1, 2, 3, 4].map((row) => (
      <div key={row} className="flex gap-4 p-5">
        <Skeleton className="size-9 rounded-full" />
        <div className="flex-1 space-y-2">
          <Skeleton className="h-5 w-1/2" />
          <Skeleton className="h-4 w-3/4" />
        </div>
      </div>
    ))}
  </div>
)

const DEFAULT_FILTERS: Partial<NotificationFilters> = { view: 'all', category: undefined, type: undefined, q: '' }

function NoNotifications({ filters, setFilters }: Pick<NotificationScreenState, 'filters' | 'setFilters'>) {
  if (!hasActiveFilters(filters))
    return <EmptyState title="Tout est calme" why="Ce qui demande votre attention apparaîtra ici." because="all-well" />
  return (
    <EmptyState
      title="Aucune notification ne correspond"
      why="Rien ne correspond à ces filtres pour le moment."
      action={
        <Button variant="secondary" onClick={() => setFilters(DEFAULT_FILTERS)}>
          Effacer les filtres
        </Button>
      }
    />
  )
}

function NotificationItems({ list, filters, setFilters, actions }: NotificationScreenState) {
  if (list.error && !list.data) return <ErrorState error={list.error} onRetry={list.refetch} />
  if (!list.data) return <ListLoading />
  if (!list.data.notifications.length) return <NoNotifications filters={filters} setFilters={setFilters} />
  return (
    <ul className="divide-y divide-line">
      {list.data.notifications.map((item) => (
        <NotificationItem key={item.id} item={item} actions={actions} />
      ))}
    </ul>
  )
}

/** The page of notifications the filters give, in each of its states. */
export function NotificationRows(screen: NotificationScreenState) {
  const { filters, setFilters } = screen
  const total = screen.list.data?.total ?? 0
  return (
    <div className="grid gap-4">
      <div aria-busy={screen.list.isFetching} className={cx(cardClass, 'overflow-hidden')}>
        <NotificationItems {...screen} />
      </div>
      {(total > NOTIFICATIONS_PAGE_SIZE || filters.page > 1) && (
        <Pagination
          label="notifications"
          page={filters.page}
          size={NOTIFICATIONS_PAGE_SIZE}
          total={total}
          onPage={(page) => setFilters({ page })}
        />
      )}
    </div>
  )
}

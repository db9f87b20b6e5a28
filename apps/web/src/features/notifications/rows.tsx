import { Button } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Filters, isFiltered, PAGE_SIZE } from './filters.ts'
import { NotificationItem } from './item.tsx'
import type { NotificationScreen } from './use-screen.ts'

const Loading = () => (
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

const reset: Partial<Filters> = { view: 'all', category: undefined, type: undefined, q: '' }

function Empty({ filters, setFilters }: Pick<NotificationScreen, 'filters' | 'setFilters'>) {
  if (!isFiltered(filters))
    return <EmptyState title="Tout est calme" why="Ce qui demande votre attention apparaîtra ici." because="all-well" />
  return (
    <EmptyState
      title="Aucune notification ne correspond"
      why="Rien ne correspond à ces filtres pour le moment."
      action={
        <Button variant="secondary" onClick={() => setFilters(reset)}>
          Effacer les filtres
        </Button>
      }
    />
  )
}

function Items({ list, filters, setFilters, actions }: NotificationScreen) {
  if (list.error && !list.data) return <ErrorState error={list.error} onRetry={list.refetch} />
  if (!list.data) return <Loading />
  if (!list.data.notifications.length) return <Empty filters={filters} setFilters={setFilters} />
  return (
    <ul className="divide-y divide-line">
      {list.data.notifications.map((item) => (
        <NotificationItem key={item.id} item={item} actions={actions} />
      ))}
    </ul>
  )
}

/** The page of notifications the filters give, in each of its states. */
export function NotificationRows(screen: NotificationScreen) {
  const { filters, setFilters } = screen
  const total = screen.list.data?.total ?? 0
  return (
    <div className="grid gap-4">
      <div aria-busy={screen.list.isFetching} className={cx(cardClass, 'overflow-hidden')}>
        <Items {...screen} />
      </div>
      {(total > PAGE_SIZE || filters.page > 1) && (
        <Pagination
          label="notifications"
          page={filters.page}
          size={PAGE_SIZE}
          total={total}
          onPage={(page) => setFilters({ page })}
        />
      )}
    </div>
  )
}

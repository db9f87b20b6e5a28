import { Skeleton } from '../../../components/loading.tsx'

export const NotificationsLoading = () => (
  <div role="status" className="space-y-4 p-4">
    <span className="sr-only">Chargement des notifications…</span>
    {[0, 1, 2].map((row) => (
      <div key={row} className="flex gap-3">
        <Skeleton className="size-8 rounded-full" />
        <div className="flex-1 space-y-2">
          <Skeleton className="h-4 w-3/4" />
          <Skeleton className="h-3 w-full" />
        </div>
      </div>
    ))}
  </div>
)

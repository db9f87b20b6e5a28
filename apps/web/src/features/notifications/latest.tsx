import { useQuery } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { NotificationsLoading } from './loading.tsx'
import { MenuNotification } from './menu-item.tsx'
import { buildLatestNotificationsQuery, useNotificationActions } from './queries.ts'

export default function LatestNotifications({ onFollow }: { onFollow: () => void }) {
  const { data, error, refetch } = useQuery(buildLatestNotificationsQuery())
  const actions = useNotificationActions()
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <NotificationsLoading />
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3 border-b border-line py-1.5 pr-2 pl-4">
        <h2 className="text-base font-semibold">Notifications</h2>
        {data.unreadCount > 0 && (
          <Button variant="quiet" size="small" onClick={() => void actions.readAll()}>
            Tout marquer comme lu
          </Button>
        )}
      </div>
      {data.notifications.length ? (
        <ul className="divide-y divide-line overflow-y-auto overscroll-contain">
          {data.notifications.map((item) => (
            <MenuNotification key={item.id} item={item} actions={actions} onFollow={onFollow} />
          ))}
        </ul>
      ) : (
        <p className="px-4 py-10 text-center text-body text-ink-soft">Vous n’avez aucune notification.</p>
      )}
    </>
  )
}

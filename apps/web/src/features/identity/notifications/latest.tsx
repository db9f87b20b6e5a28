import { useQuery } from '@tanstack/react-query'
import type { Notification } from '@voisol/contract/notifications'
import { Button } from '../../../components/button.tsx'
import { cx } from '../../../components/cx.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { NotificationsLoading } from './loading.tsx'
import {
  ActionLink,
  DeleteButton,
  NOTIFICATION_CATEGORY_LABELS,
  type NotificationActions,
  ReadButton,
  RelativeTime,
  TypeIcon,
  UnreadDot,
} from './notification-item.tsx'
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

type Props = { item: Notification; actions: NotificationActions; onFollow: () => void }

/** The same in little, for the menu of the header. */
const MenuNotification = ({ item, actions, onFollow }: Props) => (
  <li className={cx('flex gap-3 px-4 py-3', !item.isRead && 'bg-primary-soft/50')}>
    <TypeIcon type={item.type} className="size-8" />
    <div className="min-w-0 flex-1">
      <div className="flex gap-2">
        <p className={cx('min-w-0 text-body leading-snug', item.isRead ? 'font-medium' : 'font-semibold')}>
          {item.title}
        </p>
        {!item.isRead && <UnreadDot />}
      </div>
      <p className="mt-0.5 line-clamp-2 text-[0.8125rem] text-ink-soft">{item.message}</p>
      <p className="mt-1 flex flex-wrap gap-x-2 text-xs text-ink-muted">
        <span>{NOTIFICATION_CATEGORY_LABELS[item.category].label}</span>
        <RelativeTime at={item.createdAt} />
      </p>
      <div className="mt-2 empty:hidden">
        <ActionLink item={item} actions={actions} onFollow={onFollow} />
      </div>
    </div>
    <div className="-mr-2 flex flex-col">
      <ReadButton item={item} actions={actions} />
      <DeleteButton item={item} actions={actions} />
    </div>
  </li>
)

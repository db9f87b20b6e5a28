import { useQuery } from '@tanstack/react-query'
import Bell from 'lucide-react/icons/bell'
import { Suspense } from 'react'
import { IconButton } from '../../../components/icon-button.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Popover } from '../../../components/popover.tsx'
import { formatCount } from '../../../lib/format.ts'
import { NotificationsLoading } from './loading.tsx'
import { buildUnreadCountQuery, formatBadgeCount } from './queries.ts'

/** Loaded with the first opening: the header is on every page, its list is not. */
const LatestNotifications = lazy(() => import('./latest.tsx'))

const getButtonLabel = (unread: number) =>
  unread ? `Notifications, ${formatCount(unread, 'non lue', 'non lues')}` : 'Notifications'

function BellIcon({ unread }: { unread: number }) {
  return (
    <span className="relative">
      <Bell aria-hidden="true" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-2 left-2.5 min-w-4.5 rounded-full bg-danger px-1 text-center text-[0.6875rem] leading-4.5 font-semibold text-white tabular ring-2 ring-card"
        >
          {formatBadgeCount(unread)}
        </span>
      )}
    </span>
  )
}

/** Above what either shell keeps at the bottom of a phone, which it would half cover. */
const POPOVER_MARGINS = { top: 8, right: 8, bottom: 72, left: 8 }

/** The ten latest, from the header of either shell. */
export function NotificationMenu({ all }: { all: string }) {
  const unread = useQuery(buildUnreadCountQuery()).data?.unreadCount ?? 0
  return (
    <Popover
      label="Notifications"
      align="end"
      clear={POPOVER_MARGINS}
      apart
      className="z-40 flex max-h-(--radix-popover-content-available-height) w-104 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-card focus-visible:outline-none"
      trigger={
        <IconButton label={getButtonLabel(unread)} icon={<BellIcon unread={unread} />} className="max-sm:size-11" />
      }
    >
      {(close) => (
        <>
          <Suspense fallback={<NotificationsLoading />}>
            <LatestNotifications onFollow={close} />
          </Suspense>
          <Link
            to={all}
            onClick={close}
            className="flex min-h-11 shrink-0 items-center justify-center border-t border-line text-body font-medium text-primary-ink hover:bg-page focus-visible:-outline-offset-2"
          >
            Voir toutes les notifications
          </Link>
        </>
      )}
    </Popover>
  )
}

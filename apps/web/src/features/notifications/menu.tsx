import { useQuery } from '@tanstack/react-query'
import Bell from 'lucide-react/icons/bell'
import { Content, Portal, Root, Trigger } from 'radix-ui/popover'
import { useState } from 'react'
import { Link } from 'react-router'
import { plural } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { MenuNotification } from './menu-item.tsx'
import { latestQuery, unreadQuery, useNotificationActions } from './queries.ts'
import { badgeText } from './rules.ts'

const Loading = () => (
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

function Latest({ onFollow }: { onFollow: () => void }) {
  const { data, error, refetch } = useQuery(latestQuery())
  const actions = useNotificationActions()
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Loading />
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

const named = (unread: number) => (unread ? `Notifications, ${plural(unread, 'non lue', 'non lues')}` : 'Notifications')

function BellIcon({ unread }: { unread: number }) {
  return (
    <span className="relative">
      <Bell aria-hidden="true" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-2 left-2.5 min-w-4.5 rounded-full bg-danger px-1 text-center text-[0.6875rem] leading-4.5 font-semibold text-white tabular ring-2 ring-card"
        >
          {badgeText(unread)}
        </span>
      )}
    </span>
  )
}

/** Above what either shell keeps at the bottom of a phone, which it would half cover. */
const CLEAR = { top: 8, right: 8, bottom: 72, left: 8 }

/** The ten latest, from the header of either shell. */
export function NotificationMenu({ all }: { all: string }) {
  const [open, setOpen] = useState(false)
  const unread = useQuery(unreadQuery()).data?.unreadCount ?? 0
  const close = () => setOpen(false)
  return (
    <Root open={open} onOpenChange={setOpen}>
      <Trigger asChild>
        <IconButton label={named(unread)} icon={<BellIcon unread={unread} />} className="max-sm:size-11" />
      </Trigger>
      <Portal>
        <Content
          align="end"
          sideOffset={6}
          collisionPadding={CLEAR}
          aria-label="Notifications"
          className="z-40 flex max-h-(--radix-popover-content-available-height) w-104 max-w-[calc(100vw-1rem)] animate-rise flex-col overflow-hidden rounded-card border border-line bg-card shadow-float focus-visible:outline-none"
        >
          <Latest onFollow={close} />
          <Link
            to={all}
            onClick={close}
            className="flex min-h-11 shrink-0 items-center justify-center border-t border-line text-body font-medium text-primary-ink hover:bg-page focus-visible:-outline-offset-2"
          >
            Voir toutes les notifications
          </Link>
        </Content>
      </Portal>
    </Root>
  )
}

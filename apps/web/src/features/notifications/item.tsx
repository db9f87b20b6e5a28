import type { Notification } from '@voisol/contract/notifications'
import { formatDateTime, formatRelativeTime } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ArchiveButton, DeleteButton, type NotificationActions, ReadButton } from './item-actions.tsx'
import { NOTIFICATION_CATEGORY_LABELS, NOTIFICATION_PRIORITY_LABELS } from './labels.ts'
import { getNotificationAction } from './rules.ts'
import { TypeIcon, UnreadDot } from './type-icon.tsx'

export const RelativeTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatDateTime(at)}>
    {formatRelativeTime(at)}
  </time>
)

type Props = { item: Notification; actions: NotificationActions }

/** Following an action settles the notification: it is read. */
export function ActionLink({ item, actions, onFollow }: Props & { onFollow?: () => void }) {
  const action = getNotificationAction(item)
  if (!action) return null
  const follow = () => {
    if (!item.isRead) void actions.read(item.id)
    onFollow?.()
  }
  return (
    <ButtonLink to={action.to} variant="secondary" size="small" onClick={follow}>
      {action.label}
    </ButtonLink>
  )
}

/** A notification in the list of a screen. */
export function NotificationItem({ item, actions }: Props) {
  const priority = NOTIFICATION_PRIORITY_LABELS[item.priority]
  return (
    <li
      className={cx('flex flex-wrap gap-x-4 gap-y-2 p-4 sm:flex-nowrap sm:px-5', !item.isRead && 'bg-primary-soft/50')}
    >
      <TypeIcon type={item.type} />
      <div className="min-w-0 flex-1 basis-52">
        <div className="flex gap-2">
          <h2 className={cx('min-w-0 text-base tracking-normal', item.isRead ? 'font-medium' : 'font-semibold')}>
            {item.title}
          </h2>
          {!item.isRead && <UnreadDot />}
        </div>
        <p className="prose-width mt-0.5 whitespace-pre-line text-body text-ink-soft">{item.message}</p>
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-ink-muted">
          {priority && <Badge tone={priority.tone}>{priority.label}</Badge>}
          <span>{NOTIFICATION_CATEGORY_LABELS[item.category].label}</span>
          <RelativeTime at={item.createdAt} />
        </p>
        <div className="mt-3 empty:hidden">
          <ActionLink item={item} actions={actions} />
        </div>
      </div>
      <div className="-my-1 ml-auto flex items-start">
        <ReadButton item={item} actions={actions} />
        <ArchiveButton item={item} actions={actions} />
        <DeleteButton item={item} actions={actions} />
      </div>
    </li>
  )
}

import type { Notification } from '@voisol/contract/notifications'
import { cx } from '../../ui/cx.ts'
import { ActionLink, RelativeTime } from './item.tsx'
import { DeleteButton, type NotificationActions, ReadButton } from './item-actions.tsx'
import { NOTIFICATION_CATEGORY_LABELS } from './labels.ts'
import { TypeIcon, UnreadDot } from './type-icon.tsx'

type Props = { item: Notification; actions: NotificationActions; onFollow: () => void }

/** The same in little, for the menu of the header. */
export const MenuNotification = ({ item, actions, onFollow }: Props) => (
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

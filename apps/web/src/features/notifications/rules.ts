import type { Notification } from '@voisol/contract/notifications'

export const formatBadgeCount = (unread: number) => (unread > 99 ? '99+' : String(unread))

export const canMarkAsRead = (item: Pick<Notification, 'isRead'>) => !item.isRead
export const canDelete = (item: Pick<Notification, 'isDismissible'>) => item.isDismissible
export const canArchive = (item: Pick<Notification, 'isArchived'>) => !item.isArchived

type Actionable = Pick<Notification, 'isActionable' | 'actionLabel' | 'actionUrl'>

/** The button to offer, or null. It leads inside the product only. */
export const getNotificationAction = ({ isActionable, actionLabel, actionUrl }: Actionable) =>
  isActionable && actionLabel && actionUrl && /^\/(?![/\\])/.test(actionUrl)
    ? { label: actionLabel, to: actionUrl }
    : null

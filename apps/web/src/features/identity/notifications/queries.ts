import { type Notification, notifications } from '@voisol/contract/notifications'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { type NotificationFilters, toNotificationQuery } from './filters.ts'

const SECOND_MS = 1000
const LATEST_COUNT = 10

export const buildNotificationsQuery = (filters: NotificationFilters) => ({
  ...query(notifications.list, { query: toNotificationQuery(filters) }),
  staleTime: 30 * SECOND_MS,
  retry: 2,
})

export const buildLatestNotificationsQuery = () => ({
  ...query(notifications.list, { query: { limit: LATEST_COUNT } }),
  staleTime: 30 * SECOND_MS,
  retry: 2,
})

export const buildUnreadCountQuery = () => ({
  ...query(notifications.unreadCount, {}),
  staleTime: 10 * SECOND_MS,
  refetchInterval: 30 * SECOND_MS,
  retry: 2,
})

/** After any change the lists and the count are read again. */
const DEPENDENT_QUERIES = [notifications.list, notifications.unreadCount]
const SHORT_TOAST_MS = 2000

const showSuccess = (title: string) => toast({ title, variant: 'success', duration: SHORT_TOAST_MS })
const showFailure = (error: unknown) =>
  toast({ title: 'L’action n’a pas abouti', description: explainError(error), variant: 'destructive' })

const formatArchivedCount = (count: number) => formatCount(count, 'notification archivée', 'notifications archivées')

/** Everything one can do to notifications; a failure is told, and leaves them as they were. */
export function useNotificationActions() {
  const read = useAction(notifications.read, DEPENDENT_QUERIES)
  const readAll = useAction(notifications.markAllRead, DEPENDENT_QUERIES)
  const archive = useAction(notifications.archive, DEPENDENT_QUERIES)
  const archiveRead = useAction(notifications.archiveRead, DEPENDENT_QUERIES)
  const archiveOld = useAction(notifications.archiveOld, DEPENDENT_QUERIES)
  const remove = useAction(notifications.remove, DEPENDENT_QUERIES)
  return {
    read: (id: string) => read.run({ params: { id } }).then(() => undefined, showFailure),
    readAll: () => readAll.run({}).then(() => showSuccess('Tout est lu'), showFailure),
    archive: (id: string) =>
      archive.run({ params: { id } }).then(() => showSuccess('Notification archivée'), showFailure),
    archiveRead: () => archiveRead.run({}).then(({ count }) => showSuccess(formatArchivedCount(count)), showFailure),
    archiveOld: (days: number) =>
      archiveOld
        .run({ query: {}, body: { days } })
        .then(({ count }) => showSuccess(formatArchivedCount(count)), showFailure),
    /** Left to the confirmation that asked for it to tell a failure. */
    remove: (id: string) => remove.run({ params: { id } }).then(() => showSuccess('Notification supprimée')),
    isArchiving: archiveOld.isPending,
  }
}

export const formatBadgeCount = (unread: number) => (unread > 99 ? '99+' : String(unread))

export const canMarkAsRead = (item: Pick<Notification, 'isRead'>) => !item.isRead
export const canDelete = (item: Pick<Notification, 'isDismissible'>) => item.isDismissible

type Actionable = Pick<Notification, 'isActionable' | 'actionLabel' | 'actionUrl'>

/** The button to offer, or null. It leads inside the product only. */
export const getNotificationAction = ({ isActionable, actionLabel, actionUrl }: Actionable) =>
  isActionable && actionLabel && actionUrl && /^\/(?![/\\])/.test(actionUrl)
    ? { label: actionLabel, to: actionUrl }
    : null

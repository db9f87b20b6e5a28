import { notifications } from '@voisol/contract/notifications'
import { explain } from '../../lib/explain.ts'
import { plural } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { type Filters, toQuery } from './filters.ts'

const SECOND = 1000
const LATEST = 10

export const listQuery = (filters: Filters) => ({
  ...query(notifications.list, { query: toQuery(filters) }),
  staleTime: 30 * SECOND,
  retry: 2,
})

export const latestQuery = () => ({
  ...query(notifications.list, { query: { limit: LATEST } }),
  staleTime: 30 * SECOND,
  retry: 2,
})

export const unreadQuery = () => ({
  ...query(notifications.unreadCount, {}),
  staleTime: 10 * SECOND,
  refetchInterval: 30 * SECOND,
  retry: 2,
})

/** After any change the lists and the count are read again. */
const refreshed = [notifications.list, notifications.unreadCount]
const SHORT = 2000

const done = (title: string) => toast({ title, variant: 'success', duration: SHORT })
const failed = (error: unknown) =>
  toast({ title: 'L’action n’a pas abouti', description: explain(error), variant: 'destructive' })

export const archivedText = (count: number) => plural(count, 'notification archivée', 'notifications archivées')

/** Everything one can do to notifications; a failure is told, and leaves them as they were. */
export function useNotificationActions() {
  const read = useAction(notifications.read, refreshed)
  const readAll = useAction(notifications.markAllRead, refreshed)
  const archive = useAction(notifications.archive, refreshed)
  const archiveRead = useAction(notifications.archiveRead, refreshed)
  const archiveOld = useAction(notifications.archiveOld, refreshed)
  const remove = useAction(notifications.remove, refreshed)
  return {
    read: (id: string) => read.run({ params: { id } }).then(() => undefined, failed),
    readAll: () => readAll.run({}).then(() => done('Tout est lu'), failed),
    archive: (id: string) => archive.run({ params: { id } }).then(() => done('Notification archivée'), failed),
    archiveRead: () => archiveRead.run({}).then(({ count }) => done(archivedText(count)), failed),
    archiveOld: (days: number) =>
      archiveOld.run({ query: {}, body: { days } }).then(({ count }) => done(archivedText(count)), failed),
    /** Left to the confirmation that asked for it to tell a failure. */
    remove: (id: string) => remove.run({ params: { id } }).then(() => done('Notification supprimée')),
    isArchiving: archiveOld.isPending,
  }
}

import { getRequestedDays, notifications } from '@voisol/contract/notifications'
import type { FastifyInstance } from 'fastify'
import { registerOneClickRoute } from '../../../http/one-click.ts'
import { addRoute } from '../../../http/route.ts'
import {
  archiveOldNotifications,
  archiveReadNotifications,
  countUnreadNotifications,
  listNotifications,
  markAllNotificationsRead,
  markNotification,
  previewNotificationArchive,
  removeNotification,
} from './inbox.ts'
import {
  loadNotificationPreferences,
  saveNotificationPreferences,
  unsubscribeFromNotifications,
} from './notification-preferences.ts'

export function notificationRoutes(app: FastifyInstance) {
  registerOneClickRoute(app, {
    path: '/api/notifications/unsubscribe/:key',
    leave: (tx, key) => unsubscribeFromNotifications(tx, app.deps.secrets, key),
    said: 'Vous ne recevrez plus ces messages.',
    leadsTo: () => '/client-portal/notifications',
  })
  addRoute(app, notifications.list, ({ query }, { db, actor }) => listNotifications(db, actor, query))
  addRoute(app, notifications.unreadCount, async (_, { db, actor }) => ({
    unreadCount: await countUnreadNotifications(db, actor),
  }))

  addRoute(app, notifications.read, async ({ params }, { db, actor, note }) => {
    const read = await markNotification(db, actor, params.id, 'readAt')
    note({ target: read.title })
    return read
  })
  addRoute(app, notifications.archive, async ({ params }, { db, actor, note }) => {
    const archived = await markNotification(db, actor, params.id, 'archivedAt')
    note({ target: archived.title })
    return archived
  })
  addRoute(app, notifications.markAllRead, (_, { db, actor }) => markAllNotificationsRead(db, actor))
  addRoute(app, notifications.archiveRead, (_, { db, actor }) => archiveReadNotifications(db, actor))
  addRoute(app, notifications.archiveOld, (input, { db, actor, note }) => {
    const days = getRequestedDays(input)
    note({ detail: { days } })
    return archiveOldNotifications(db, actor, days)
  })
  addRoute(app, notifications.archivePreview, (input, { db, actor }) =>
    previewNotificationArchive(db, actor, getRequestedDays(input)),
  )

  addRoute(app, notifications.remove, async ({ params }, { db, actor, note }) => {
    const removed = await removeNotification(db, actor, params.id)
    note({ target: removed.title })
    return { success: true as const, count: 1 }
  })

  addRoute(app, notifications.preferences, async (_, { db, actor }) => ({
    items: await loadNotificationPreferences(db, actor.userId),
  }))
  addRoute(app, notifications.savePreferences, async ({ body }, { db, actor, note }) => {
    await saveNotificationPreferences(db, actor.userId, body.items)
    note({ detail: { changed: body.items } })
    return { items: await loadNotificationPreferences(db, actor.userId) }
  })
}

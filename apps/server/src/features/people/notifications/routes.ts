import { daysAsked, notifications } from '@voisol/contract/notifications'
import type { FastifyInstance } from 'fastify'
import { oneClick } from '../../../http/one-click.ts'
import { route } from '../../../http/route.ts'
import {
  archiveOld,
  archiveRead,
  countUnread,
  listNotifications,
  markAllRead,
  markOne,
  previewArchive,
  removeNotification,
} from './inbox.ts'
import { leave } from './leave.ts'
import { readPreferences, savePreferences } from './preferences.ts'

export function notificationRoutes(app: FastifyInstance) {
  oneClick(app, {
    path: '/api/notifications/unsubscribe/:key',
    leave: (tx, key) => leave(tx, app.deps.secrets, key),
    said: 'Vous ne recevrez plus ces messages.',
    leadsTo: () => '/client-portal/notifications',
  })
  route(app, notifications.list, ({ query }, { db, actor }) => listNotifications(db, actor, query))
  route(app, notifications.unreadCount, async (_, { db, actor }) => ({ unreadCount: await countUnread(db, actor) }))

  route(app, notifications.read, async ({ params }, { db, actor, note }) => {
    const read = await markOne(db, actor, params.id, 'readAt')
    note({ target: read.title })
    return read
  })
  route(app, notifications.archive, async ({ params }, { db, actor, note }) => {
    const archived = await markOne(db, actor, params.id, 'archivedAt')
    note({ target: archived.title })
    return archived
  })
  route(app, notifications.markAllRead, (_, { db, actor }) => markAllRead(db, actor))
  route(app, notifications.archiveRead, (_, { db, actor }) => archiveRead(db, actor))
  route(app, notifications.archiveOld, (input, { db, actor, note }) => {
    const days = daysAsked(input)
    note({ detail: { days } })
    return archiveOld(db, actor, days)
  })
  route(app, notifications.archivePreview, (input, { db, actor }) => previewArchive(db, actor, daysAsked(input)))

  route(app, notifications.remove, async ({ params }, { db, actor, note }) => {
    const removed = await removeNotification(db, actor, params.id)
    note({ target: removed.title })
    return { success: true as const, count: 1 }
  })

  route(app, notifications.preferences, async (_, { db, actor }) => ({
    items: await readPreferences(db, actor.userId),
  }))
  route(app, notifications.savePreferences, async ({ body }, { db, actor, note }) => {
    await savePreferences(db, actor.userId, body.items)
    note({ detail: { changed: body.items } })
    return { items: await readPreferences(db, actor.userId) }
  })
}

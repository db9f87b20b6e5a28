import type { Notification, NotificationQuery } from '@voisol/contract/notifications'
import { and, count, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matchesSearchWords } from '../../../db/list-query.ts'
import { notifications } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

type Row = typeof notifications.$inferSelect

/** The notifications of the user in the current company. */
const notificationScope = ({ userId, companyId }: Actor) =>
  and(eq(notifications.companyId, companyId), eq(notifications.userId, userId))

const isNotArchived = isNull(notifications.archivedAt)
const isUnread = isNull(notifications.readAt)
const isOlderThan = (days: number) => lt(notifications.createdAt, sql`now() - make_interval(days => ${days})`)

const toNotification = (row: Row): Notification => ({
  id: row.id,
  title: row.title,
  message: row.message,
  type: row.type as Notification['type'], // written from the same enumerations; the reply is checked against them
  priority: row.priority as Notification['priority'],
  category: row.category as Notification['category'],
  isRead: row.readAt !== null,
  isArchived: row.archivedAt !== null,
  isDismissible: row.isDismissible,
  isActionable: Boolean(row.actionUrl && row.actionLabel),
  actionLabel: row.actionLabel,
  actionUrl: row.actionUrl,
  createdAt: row.createdAt.toISOString(),
})

export async function countUnreadNotifications(db: Db, actor: Actor): Promise<number> {
  const where = and(notificationScope(actor), isNotArchived, isUnread)
  const [row] = await db.select({ total: count() }).from(notifications).where(where)
  return row?.total ?? 0
}

export async function listNotifications(db: Db, actor: Actor, query: z.output<typeof NotificationQuery>) {
  const where = and(
    notificationScope(actor),
    query.archived ? isNotNull(notifications.archivedAt) : isNotArchived,
    query.unreadOnly ? isUnread : undefined,
    query.category && eq(notifications.category, query.category),
    query.type && eq(notifications.type, query.type),
    matchesSearchWords(query.q, [notifications.title, notifications.message]),
  )
  const rows = db
    .select()
    .from(notifications)
    .where(where)
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(query.limit)
    .offset(query.offset)
  const total = db.select({ total: count() }).from(notifications).where(where)
  const [page, [counted], unreadCount] = await Promise.all([rows, total, countUnreadNotifications(db, actor)])
  return { notifications: page.map(toNotification), total: counted?.total ?? 0, unreadCount }
}

/** Sets the timestamp once: marking again keeps the first one. */
export async function markNotification(tx: Db, actor: Actor, id: string, column: 'readAt' | 'archivedAt') {
  const [row] = await tx
    .update(notifications)
    .set({ [column]: sql`coalesce(${notifications[column]}, ${new Date()})` })
    .where(and(notificationScope(actor), eq(notifications.id, id)))
    .returning()
  if (!row) throw new AppError('not-found')
  return toNotification(row)
}

const markActiveNotifications = async (tx: Db, actor: Actor, column: 'readAt' | 'archivedAt', which: SQL) => {
  const { rowCount } = await tx
    .update(notifications)
    .set({ [column]: sql`now()` })
    .where(and(notificationScope(actor), isNotArchived, which))
  return { success: true as const, count: rowCount ?? 0 }
}
export const markAllNotificationsRead = (tx: Db, actor: Actor) => markActiveNotifications(tx, actor, 'readAt', isUnread)
export const archiveReadNotifications = (tx: Db, actor: Actor) =>
  markActiveNotifications(tx, actor, 'archivedAt', isNotNull(notifications.readAt))
export const archiveOldNotifications = (tx: Db, actor: Actor, days: number) =>
  markActiveNotifications(tx, actor, 'archivedAt', isOlderThan(days))

/** Counts what `archiveOld` would archive. */
export async function previewNotificationArchive(db: Db, actor: Actor, days: number) {
  const [row] = await db
    .select({
      count: count(),
      unread: sql<number>`count(*) filter (where ${isUnread})`.mapWith(Number),
      oldest: sql`min(${notifications.createdAt})`.mapWith(notifications.createdAt),
      newest: sql`max(${notifications.createdAt})`.mapWith(notifications.createdAt),
    })
    .from(notifications)
    .where(and(notificationScope(actor), isNotArchived, isOlderThan(days)))
  return {
    days,
    count: row?.count ?? 0,
    unread: row?.unread ?? 0,
    oldest: row?.oldest?.toISOString() ?? null,
    newest: row?.newest?.toISOString() ?? null,
  }
}

export async function removeNotification(tx: Db, actor: Actor, id: string) {
  const own = and(notificationScope(actor), eq(notifications.id, id))
  const [row] = await tx.select().from(notifications).where(own).for('update')
  if (!row) throw new AppError('not-found')
  if (!row.isDismissible) throw new AppError('not-dismissible')
  await tx.delete(notifications).where(own)
  return row
}

import type { Notification, NotificationQuery } from '@voisol/contract/notifications'
import { and, count, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matches } from '../../../db/list.ts'
import { notifications } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

type Row = typeof notifications.$inferSelect

/** What a person may see: their own, in the company the session is on. */
export const notificationScope = ({ userId, companyId }: Actor) =>
  and(eq(notifications.companyId, companyId), eq(notifications.userId, userId))

const active = isNull(notifications.archivedAt)
const unread = isNull(notifications.readAt)
const olderThan = (days: number) => lt(notifications.createdAt, sql`now() - make_interval(days => ${days})`)

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

export async function countUnread(db: Db, actor: Actor): Promise<number> {
  const where = and(notificationScope(actor), active, unread)
  const [row] = await db.select({ total: count() }).from(notifications).where(where)
  return row?.total ?? 0
}

export async function listNotifications(db: Db, actor: Actor, query: z.output<typeof NotificationQuery>) {
  const where = and(
    notificationScope(actor),
    query.archived ? isNotNull(notifications.archivedAt) : active,
    query.unreadOnly ? unread : undefined,
    query.category && eq(notifications.category, query.category),
    query.type && eq(notifications.type, query.type),
    matches(query.q, [notifications.title, notifications.message]),
  )
  const rows = db
    .select()
    .from(notifications)
    .where(where)
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(query.limit)
    .offset(query.offset)
  const total = db.select({ total: count() }).from(notifications).where(where)
  const [page, [counted], unreadCount] = await Promise.all([rows, total, countUnread(db, actor)])
  return { notifications: page.map(toNotification), total: counted?.total ?? 0, unreadCount }
}

/** Marks one; the moment it was first marked is kept. */
export async function markOne(tx: Db, actor: Actor, id: string, column: 'readAt' | 'archivedAt') {
  const [row] = await tx
    .update(notifications)
    .set({ [column]: sql`coalesce(${notifications[column]}, ${new Date()})` })
    .where(and(notificationScope(actor), eq(notifications.id, id)))
    .returning()
  if (!row) throw new AppError('not-found')
  return toNotification(row)
}

const markActive = async (tx: Db, actor: Actor, column: 'readAt' | 'archivedAt', which: SQL) => {
  const { rowCount } = await tx
    .update(notifications)
    .set({ [column]: sql`now()` })
    .where(and(notificationScope(actor), active, which))
  return { success: true as const, count: rowCount ?? 0 }
}
export const markAllRead = (tx: Db, actor: Actor) => markActive(tx, actor, 'readAt', unread)
export const archiveRead = (tx: Db, actor: Actor) =>
  markActive(tx, actor, 'archivedAt', isNotNull(notifications.readAt))
export const archiveOld = (tx: Db, actor: Actor, days: number) => markActive(tx, actor, 'archivedAt', olderThan(days))

/** What `archiveOld` would put away. */
export async function previewArchive(db: Db, actor: Actor, days: number) {
  const [row] = await db
    .select({
      count: count(),
      unread: sql<number>`count(*) filter (where ${unread})`.mapWith(Number),
      oldest: sql`min(${notifications.createdAt})`.mapWith(notifications.createdAt),
      newest: sql`max(${notifications.createdAt})`.mapWith(notifications.createdAt),
    })
    .from(notifications)
    .where(and(notificationScope(actor), active, olderThan(days)))
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

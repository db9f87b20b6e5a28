import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from './columns.ts'
import { ownerColumns } from './owned.ts'
import { users } from './users.ts'

export const notifications = pgTable(
  'notifications',
  {
    ...ownerColumns(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    category: text('category').notNull(),
    type: text('type').notNull(),
    priority: text('priority').notNull(),
    title: text('title').notNull(),
    message: text('message').notNull(),
    isDismissible: boolean('is_dismissible').notNull().default(true),
    actionLabel: text('action_label'),
    actionUrl: text('action_url'),
    /** What happened, told once: the same event raised twice leaves one notification. */
    eventKey: text('event_key').notNull(),
    readAt: instant('read_at'),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('notifications_inbox').on(t.companyId, t.userId, t.createdAt.desc()),
    index('notifications_unread').on(t.companyId, t.userId).where(sql`${t.readAt} is null and ${t.archivedAt} is null`),
    uniqueIndex('notifications_event').on(t.companyId, t.userId, t.eventKey),
  ],
)

/** Only what differs from the defaults is kept. */
export const notificationPreferences = pgTable(
  'notification_preferences',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    category: text('category').notNull(),
    channel: text('channel').notNull(),
    enabled: boolean('enabled').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.category, t.channel] })],
)

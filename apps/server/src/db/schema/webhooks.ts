import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from './columns.ts'
import { ownerColumns } from './owned.ts'

export const webhooks = pgTable(
  'webhooks',
  {
    ...ownerColumns(),
    url: text('url').notNull(),
    events: text('events').array().notNull(),
    status: text('status').notNull().default('active'),
    /** Sealed: it signs what is sent. */
    secret: text('secret').notNull(),
    createdAt: createdAt(),
    /** Sealed likewise: it signs beside the other until then. */
    formerSecret: text('former_secret'),
    formerUntil: instant('former_until'),
    /** Since when every attempt fails. */
    failingSince: instant('failing_since'),
    /** Why it was stopped without anybody: gone, failing. */
    stopped: text('stopped').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] })],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    ...ownerColumns(),
    webhookId: uuid('webhook_id').notNull(),
    event: text('event').notNull(),
    payload: jsonb('payload').notNull(),
    status: text('status').notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    lastStatus: integer('last_status'),
    lastError: text('last_error').notNull().default(''),
    createdAt: createdAt(),
    deliveredAt: instant('delivered_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.webhookId], foreignColumns: [webhooks.companyId, webhooks.id] }).onDelete(
      'cascade',
    ),
    index('webhook_deliveries_newest').on(t.companyId, t.webhookId, t.createdAt.desc()),
    index('webhook_deliveries_when').on(t.companyId, t.createdAt),
  ],
)

/** What came of each attempt; it only grows, and goes with its delivery. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    ...ownerColumns(),
    deliveryId: uuid('delivery_id').notNull(),
    at: instant('at').notNull().defaultNow(),
    status: integer('status'),
    error: text('error').notNull(),
    milliseconds: integer('milliseconds').notNull(),
    answer: text('answer').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.deliveryId],
      foreignColumns: [webhookDeliveries.companyId, webhookDeliveries.id],
    }).onDelete('cascade'),
    index('webhook_attempts_delivery').on(t.companyId, t.deliveryId, t.at),
  ],
)

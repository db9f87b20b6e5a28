import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from './columns.ts'
import { owned } from './owned.ts'

export const webhooks = pgTable(
  'webhooks',
  {
    ...owned(),
    url: text('url').notNull(),
    events: text('events').array().notNull(),
    status: text('status').notNull().default('active'),
    /** Sealed: it signs what is sent. */
    secret: text('secret').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] })],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    ...owned(),
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
  ],
)

import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant } from './columns.ts'

/** First answers to creating calls, encrypted, so that a retry gets the same one. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    owner: text('owner').notNull(),
    key: text('key').notNull(),
    requestHash: bytes('request_hash').notNull(),
    reply: text('reply'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.key] }), index('idempotency_keys_age').on(t.createdAt)],
)

export const throttles = pgTable('throttles', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  resetsAt: instant('resets_at').notNull(),
})

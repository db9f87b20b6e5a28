import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bigNumber, instant } from './columns.ts'
import { siteOwned } from './site-owned.ts'

/** What happened, numbered within the company in the order of the commits, without a gap. It only grows. The site's company may tell before it is registered. */
export const events = pgTable(
  'events',
  {
    ...siteOwned(),
    seq: bigNumber('seq').notNull(),
    name: text('name').notNull(),
    /** The id of what it is about. */
    object: text('object').notNull(),
    data: jsonb('data').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.seq] }),
    uniqueIndex('events_id').on(t.companyId, t.id),
    index('events_object').on(t.companyId, t.object, t.seq),
    index('events_when').on(t.companyId, t.at),
  ],
)

/** The number of the last event, locked while the next one is written. */
export const eventHeads = pgTable('event_heads', {
  companyId: integer('company_id').primaryKey(),
  seq: bigNumber('seq').notNull(),
})

/** How far a subscriber has come; it moves together with what it did. */
export const eventCursors = pgTable(
  'event_cursors',
  {
    companyId: integer('company_id').notNull(),
    subscriber: text('subscriber').notNull(),
    seq: bigNumber('seq').notNull(),
    /** Since when it cannot take the next event, and why; it keeps its place and is tried again. */
    failingSince: instant('failing_since'),
    error: text('error').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.subscriber] })],
)

import { sql } from 'drizzle-orm'
import { check, doublePrecision, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** What was measured every five minutes, for thirty days. */
export const healthSamples = pgTable(
  'health_samples',
  { metric: text('metric').notNull(), at: instant('at').notNull(), value: doublePrecision('value').notNull() },
  (t) => [primaryKey({ columns: [t.metric, t.at] })],
)

/** A threshold that was passed, until it is no longer; one at a time of each measure. */
export const healthAlerts = pgTable(
  'health_alerts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    metric: text('metric').notNull(),
    /** warning or critical */
    level: text('level').notNull(),
    value: doublePrecision('value').notNull(),
    detail: text('detail').notNull(),
    openedAt: instant('opened_at').notNull().defaultNow(),
    closedAt: instant('closed_at'),
  },
  (t) => [
    uniqueIndex('health_alerts_open').on(t.metric).where(sql`${t.closedAt} is null`),
    check('health_alerts_level', sql`${t.level} in ('warning', 'critical')`),
  ],
)

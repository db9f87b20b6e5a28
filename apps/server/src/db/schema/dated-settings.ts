import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, day } from './columns.ts'
import { ownerColumns } from './owned.ts'

/** What a company says of a rate, a delay, a threshold or a legal text from a day on; the last word on a day holds. */
export const datedSettings = pgTable(
  'dated_settings',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    value: jsonb('value').notNull(),
    startsOn: day('starts_on').notNull(),
    /** Where the figure comes from: a law, a decree, a decision of the company. */
    source: text('source').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('dated_settings_name').on(t.companyId, t.name, t.startsOn),
  ],
)

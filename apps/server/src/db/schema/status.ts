import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const statusSamples = pgTable(
  'status_samples',
  {
    component: text('component').notNull(),
    at: instant('at').notNull(),
    ok: boolean('ok').notNull(),
  },
  (t) => [index('status_samples_at').on(t.component, t.at)],
)

import { integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { companies } from './companies.ts'
import { users } from './users.ts'

/** When a person's visit of the portal began, and the one before it: what is told as new is new since then. */
export const portalVisits = pgTable(
  'portal_visits',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    beganAt: instant('began_at').notNull(),
    beforeAt: instant('before_at'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.userId] })],
)

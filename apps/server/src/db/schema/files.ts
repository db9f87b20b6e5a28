import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt } from './columns.ts'
import { companies } from './companies.ts'

export const files = pgTable(
  'files',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    size: bigNumber('size').notNull(),
    /** Also its place in the store: equal content is kept once per company. */
    sha256: text('sha256').notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('files_company').on(t.companyId, t.sha256)],
)

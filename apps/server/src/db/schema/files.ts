import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt } from './columns.ts'
import { ownerColumns } from './owned.ts'

export const files = pgTable(
  'files',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    size: bigNumber('size').notNull(),
    /** Also its place in the store: equal content is kept once per company. */
    sha256: text('sha256').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), index('files_company').on(t.companyId, t.sha256)],
)

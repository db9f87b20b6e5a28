import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, version } from './columns.ts'
import { ownerColumns } from './owned.ts'

/** Roles that a company defined for itself, beside those of the product. */
export const roles = pgTable(
  'roles',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    permissions: text('permissions').array().notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] })],
)

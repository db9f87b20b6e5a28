import { pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, day, instant } from './columns.ts'
import { owned } from './owned.ts'
import { users } from './users.ts'

/** A key is kept as a hash; it never opens more than its maker may. */
export const apiKeys = pgTable(
  'api_keys',
  {
    ...owned(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    keyHash: bytes('key_hash').notNull(),
    permissions: text('permissions').array().notNull(),
    operationIds: uuid('operation_ids').array(),
    makerId: uuid('maker_id')
      .notNull()
      .references(() => users.id),
    expiresOn: day('expires_on'),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), uniqueIndex('api_keys_hash').on(t.companyId, t.keyHash)],
)

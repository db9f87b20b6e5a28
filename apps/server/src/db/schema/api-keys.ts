import { foreignKey, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, day, instant, version } from './columns.ts'
import { ownerColumns } from './owned.ts'
import { users } from './users.ts'

/** A key is kept as a hash; it never opens more than its maker may. */
export const apiKeys = pgTable(
  'api_keys',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    keyHash: bytes('key_hash').notNull(),
    /** office; or portal: of somebody who reads their own figures with it. */
    space: text('space').notNull().default('office'),
    permissions: text('permissions').array().notNull(),
    operationIds: uuid('operation_ids').array(),
    makerId: uuid('maker_id')
      .notNull()
      .references(() => users.id),
    expiresOn: day('expires_on'),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
    /** CIDR; none means from everywhere. */
    allowedNetworks: text('allowed_networks').array().notNull().default([]),
    lastIp: text('last_ip').notNull().default(''),
    lastCall: text('last_call').notNull().default(''),
    perSecond: integer('per_second'),
    perMonth: integer('per_month'),
    /** Once another has taken its place: until when it still opens. */
    retiresAt: instant('retires_at'),
    replaces: uuid('replaces'),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('api_keys_hash').on(t.companyId, t.keyHash),
    foreignKey({ columns: [t.companyId, t.replaces], foreignColumns: [t.companyId, t.id] }),
  ],
)

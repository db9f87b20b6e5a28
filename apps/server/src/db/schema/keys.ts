import { foreignKey, index, integer, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, day, version } from './columns.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'

/** A version of an operation's allocation key. It holds from its first day until the next adopted version begins. */
export const keys = pgTable(
  'keys',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    number: integer('number').notNull(),
    method: text('method').notNull(),
    label: text('label').notNull().default(''),
    /** Draft until adopted; a version that a definitive run has used is never changed again. */
    status: text('status').notNull(),
    startsOn: day('starts_on').notNull(),
    decimals: integer('decimals').notNull().default(1),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    uniqueIndex('keys_number').on(t.companyId, t.operationId, t.number),
  ],
)

/** What a key says of one consumer: a share in millionths, a rank, or a share of one producer's output. */
export const keyShares = pgTable(
  'key_shares',
  {
    ...ownerColumns(),
    keyId: uuid('key_id').notNull(),
    pointId: uuid('point_id').notNull(),
    producerId: uuid('producer_id'),
    share: integer('share'),
    rank: integer('rank'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [keys.companyId, keys.id] }).onDelete('cascade'),
    index('key_shares_key').on(t.companyId, t.keyId),
  ],
)

/** Coefficients step by step, in millionths, one row per consumer and local day; without a producer they hold for the pool. */
export const keyCoefficients = pgTable(
  'key_coefficients',
  {
    ...ownerColumns(),
    keyId: uuid('key_id').notNull(),
    producerId: uuid('producer_id'),
    pointId: uuid('point_id').notNull(),
    day: day('day').notNull(),
    /** Int32, little-endian, -1 where none was given. */
    values: bytes('values').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [keys.companyId, keys.id] }).onDelete('cascade'),
    unique('key_coefficients_day').on(t.companyId, t.keyId, t.producerId, t.pointId, t.day).nullsNotDistinct(),
  ],
)

import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, day, instant, version } from './columns.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { buyerGroups, sellers } from './parties.ts'

/** A version of an operation's prices. It holds from its first day until the next adopted version begins. */
export const tariffs = pgTable(
  'tariffs',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    number: integer('number').notNull(),
    label: text('label').notNull().default(''),
    status: text('status').notNull(),
    startsOn: day('starts_on').notNull(),
    /** `TariffRule` of the contract. */
    rules: jsonb('rules').notNull().default([]),
    adoptedAt: instant('adopted_at'),
    adoptedBy: text('adopted_by').notNull().default(''),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    uniqueIndex('tariffs_number').on(t.companyId, t.operationId, t.number),
    uniqueIndex('tariffs_day').on(t.companyId, t.operationId, t.startsOn).where(sql`${t.status} = 'adopted'`),
    check('tariffs_status', sql`${t.status} in ('draft', 'adopted')`),
  ],
)

/** What every member pays beside energy, per month, quarter or year, counted by the day. */
export const tariffFees = pgTable(
  'tariff_fees',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    sellerId: uuid('seller_id').notNull(),
    label: text('label').notNull(),
    /** Cents before tax for a whole period; per kVA where `perKva`. */
    amount: integer('amount').notNull(),
    every: text('every').notNull(),
    startsOn: day('starts_on').notNull(),
    endsOn: day('ends_on'),
    rate: integer('rate'),
    perKva: boolean('per_kva').notNull().default(false),
    outside: boolean('outside').notNull().default(false),
    groupId: uuid('group_id'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.groupId], foreignColumns: [buyerGroups.companyId, buyerGroups.id] }),
    index('tariff_fees_operation').on(t.companyId, t.operationId),
    check('tariff_fees_every', sql`${t.every} in ('month', 'quarter', 'year')`),
  ],
)

/** Taken off the energy of a document: a percentage or an amount, in their order. */
export const tariffDiscounts = pgTable(
  'tariff_discounts',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    position: integer('position').notNull(),
    label: text('label').notNull(),
    /** 1/100 %, or cents. */
    percentBp: integer('percent_bp'),
    amount: integer('amount'),
    participantId: uuid('participant_id'),
    sellerId: uuid('seller_id'),
    /** First days of the months from and until which it is given. */
    startsOn: day('starts_on').notNull(),
    endsOn: day('ends_on'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    index('tariff_discounts_operation').on(t.companyId, t.operationId),
    check('tariff_discounts_one', sql`(${t.percentBp} is null) <> (${t.amount} is null)`),
  ],
)

/** An index that prices follow. */
export const priceIndexes = pgTable(
  'price_indexes',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    source: text('source').notNull().default(''),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), uniqueIndex('price_indexes_name').on(t.companyId, t.name)],
)

/** A value from its day on, as published; without one it is announced. A revision is another row, and the last one holds. */
export const priceIndexValues = pgTable(
  'price_index_values',
  {
    ...ownerColumns(),
    indexId: uuid('index_id').notNull(),
    startsOn: day('starts_on').notNull(),
    value: text('value'),
    source: text('source').notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.indexId], foreignColumns: [priceIndexes.companyId, priceIndexes.id] }),
    index('price_index_values_day').on(t.companyId, t.indexId, t.startsOn),
  ],
)

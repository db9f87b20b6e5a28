import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant, version } from './columns.ts'
import { companies } from './companies.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'

/** How a company signs in at the distributor, for one operation or for all that have none of their own. */
export const enedisCredentials = pgTable(
  'enedis_credentials',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id'),
    environment: text('environment').notNull(),
    backend: text('backend').notNull(),
    /** Both sealed; `hint` is all that is ever shown. */
    clientId: text('client_id').notNull(),
    clientSecret: text('client_secret').notNull(),
    hint: text('hint').notNull(),
    testedAt: instant('tested_at'),
    testOk: boolean('test_ok').notNull().default(false),
    testMessage: text('test_message').notNull().default(''),
    circuit: text('circuit').notNull().default('closed'),
    circuitFailures: integer('circuit_failures').notNull().default(0),
    /** No call before. */
    pausedUntil: instant('paused_until'),
    /** As far as the distributor itself asked to wait: nothing that succeeds meanwhile ends it. */
    toldUntil: instant('told_until'),
    /** Since when it refuses many points at once, which is no loss of consent. */
    refusingSince: instant('refusing_since'),
    /** Calls of the current second and of the current hour, shared by all processes. */
    secondAt: instant('second_at'),
    secondCalls: integer('second_calls').notNull().default(0),
    hourAt: instant('hour_at'),
    hourCalls: integer('hour_calls').notNull().default(0),
    lastSyncAt: instant('last_sync_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    uniqueIndex('enedis_credentials_operation').on(t.companyId, t.operationId).where(sql`${t.operationId} is not null`),
    uniqueIndex('enedis_credentials_company').on(t.companyId).where(sql`${t.operationId} is null`),
  ],
)

/** What the distributor answered, as it came (gzip): equal answers are kept once. */
export const enedisAnswers = pgTable(
  'enedis_answers',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    sha256: text('sha256').notNull(),
    size: integer('size').notNull(),
    body: bytes('body').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.sha256] }), index('enedis_answers_received').on(t.receivedAt)],
)

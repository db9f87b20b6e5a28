import { sql } from 'drizzle-orm'
import { doublePrecision, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, instant, version } from './columns.ts'

const counter = (name: string) => bigNumber(name).notNull().default(0)

/** Calls by minute, hour and day: of a key or a person, to a route; those that were refused apart, by their reason. */
export const callCounts = pgTable(
  'call_counts',
  {
    companyId: integer('company_id').notNull(),
    /** minute, hour, day */
    step: text('step').notNull(),
    at: instant('at').notNull(),
    /** key, person */
    kind: text('kind').notNull(),
    who: uuid('who').notNull(),
    route: text('route').notNull(),
    reason: text('reason').notNull().default(''),
    calls: counter('calls'),
    errors: counter('errors'),
    failures: counter('failures'),
    bytesIn: counter('bytes_in'),
    bytesOut: counter('bytes_out'),
    /** How many took how long, in steps that grow (`http/gateway/histogram.ts`). */
    buckets: bigNumber('buckets').array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.step, t.at, t.kind, t.who, t.route, t.reason] }),
    index('call_counts_age').on(t.step, t.at),
  ],
)

/** The last calls of each key, one by one, without what they carried. */
export const keyCalls = pgTable(
  'key_calls',
  {
    companyId: integer('company_id').notNull(),
    keyId: uuid('key_id').notNull(),
    at: instant('at').notNull(),
    requestId: text('request_id').notNull(),
    route: text('route').notNull(),
    status: integer('status').notNull(),
    micros: integer('micros').notNull(),
    bytesOut: bigNumber('bytes_out').notNull(),
    ip: text('ip').notNull(),
    reason: text('reason').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.keyId, t.at, t.requestId] }), index('key_calls_age').on(t.at)],
)

/** What is left of a second, and what was used of a month: all processes take their slices here. */
export const callBudgets = pgTable(
  'call_budgets',
  {
    companyId: integer('company_id').notNull(),
    /** A key, or the company as a whole (`EVERY_KEY`). */
    owner: uuid('owner').notNull(),
    /** second, month */
    span: text('span').notNull(),
    at: instant('at').notNull(),
    amount: doublePrecision('amount').notNull(),
    taken: integer('taken').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.owner, t.span] })],
)

/** What all keys of a company together may call. */
export const gatewayLimits = pgTable('gateway_limits', {
  companyId: integer('company_id').primaryKey(),
  perSecond: integer('per_second'),
  perMonth: integer('per_month'),
  version: version(),
})

/** Adds histograms up, bucket by bucket. */
export const sumBuckets = sql.raw('sum_buckets(buckets)')

import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, bytes, createdAt, day, instant } from './columns.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'

/** One computation of an operation over a period. What it gave never changes: another run is made. */
export const allocationRuns = pgTable(
  'allocation_runs',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    startsOn: day('starts_on').notNull(),
    endsOn: day('ends_on').notNull(),
    kind: text('kind').notNull(),
    status: text('status').notNull(),
    /** Holes filled by an estimate, and said so: from the meter's own days, or by the others' profile too. */
    estimated: boolean('estimated').notNull().default(false),
    estimateBy: text('estimate_by').notNull().default('own'),
    progress: integer('progress').notNull().default(0),
    message: text('message').notNull().default(''),
    inputHash: text('input_hash'),
    resultHash: text('result_hash'),
    /** Of its sums alone, once its steps were kept long enough: what remains is held against it. */
    keptHash: text('kept_hash'),
    engineVersion: text('engine_version').notNull(),
    keyIds: jsonb('key_ids').notNull().default([]),
    /** Steps in all, left out and why, estimated; totals in watt-minutes. */
    counts: jsonb('counts').notNull().default({}),
    totals: jsonb('totals').notNull().default({}),
    /** What each member's figures rest on, and the days the key left out; null for a run made before it was kept. */
    completeness: jsonb('completeness'),
    /** A person's word for going on without what was missing: reason, name, time, and what it was. */
    signOff: jsonb('sign_off'),
    /** Set when a reading, a participation or a key it used has changed since. */
    staleAt: instant('stale_at'),
    staleReason: text('stale_reason').notNull().default(''),
    createdBy: uuid('created_by'),
    /** The API key by which they asked for it. */
    keyId: uuid('key_id'),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    index('allocation_runs_operation').on(t.companyId, t.operationId, t.startsOn),
  ],
)

/** A point's day in a run: per step what it got (a consumer) or what was shared of its output (a producer). */
export const allocationDays = pgTable(
  'allocation_days',
  {
    companyId: integer('company_id').notNull(),
    runId: uuid('run_id').notNull(),
    pointId: uuid('point_id').notNull(),
    day: day('day').notNull(),
    /** Int32 watt-minutes per step of the operation, -1 where the step was left out. */
    allocated: bytes('allocated').notNull(),
    /** Watt-minutes over the steps that were allocated: drawn or injected, and local. */
    total: bigNumber('total').notNull(),
    local: bigNumber('local').notNull(),
    excluded: smallint('excluded').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.runId, t.pointId, t.day] }),
    foreignKey({
      columns: [t.companyId, t.runId],
      foreignColumns: [allocationRuns.companyId, allocationRuns.id],
    }).onDelete('cascade'),
  ],
)

/** Month and time class sums of a point in a run. */
export const allocationTotals = pgTable(
  'allocation_totals',
  {
    companyId: integer('company_id').notNull(),
    runId: uuid('run_id').notNull(),
    pointId: uuid('point_id').notNull(),
    month: day('month').notNull(),
    timeClass: text('time_class').notNull(),
    total: bigNumber('total').notNull(),
    local: bigNumber('local').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.runId, t.pointId, t.month, t.timeClass] }),
    foreignKey({
      columns: [t.companyId, t.runId],
      foreignColumns: [allocationRuns.companyId, allocationRuns.id],
    }).onDelete('cascade'),
  ],
)

/** Who got how much from whom, by month and time class. */
export const allocationPairs = pgTable(
  'allocation_pairs',
  {
    companyId: integer('company_id').notNull(),
    runId: uuid('run_id').notNull(),
    producerId: uuid('producer_id').notNull(),
    pointId: uuid('point_id').notNull(),
    month: day('month').notNull(),
    timeClass: text('time_class').notNull(),
    energy: bigNumber('energy').notNull(),
    /** The same by day of the month: float64 watt-minutes, little-endian, one for each day; null in a run made before it was kept. */
    days: bytes('days'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.runId, t.producerId, t.pointId, t.month, t.timeClass] }),
    foreignKey({
      columns: [t.companyId, t.runId],
      foreignColumns: [allocationRuns.companyId, allocationRuns.id],
    }).onDelete('cascade'),
  ],
)

/** The run whose figures hold for an operation's day: a definitive one before a provisional one, then the latest. */
export const allocationCoverage = pgTable(
  'allocation_coverage',
  {
    companyId: integer('company_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    day: day('day').notNull(),
    runId: uuid('run_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.operationId, t.day] }),
    foreignKey({
      columns: [t.companyId, t.runId],
      foreignColumns: [allocationRuns.companyId, allocationRuns.id],
    }).onDelete('cascade'),
    // A run that is removed takes its days along.
    index('allocation_coverage_run').on(t.companyId, t.runId),
    /** Which run holds when, without the rows: ten thousand days of three hundred operations are asked for at once. */
    index('allocation_coverage_held').on(t.companyId, t.operationId, t.day, t.runId),
  ],
)

import { sql } from 'drizzle-orm'
import {
  boolean,
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
import { companies } from './companies.ts'
import { enedisCredentials } from './enedis.ts'
import { ownerColumns } from './owned.ts'
import { points } from './participants.ts'

/** Something asked of the distributor: a kind of data, some points, some days. */
export const syncTasks = pgTable(
  'sync_tasks',
  {
    ...ownerColumns(),
    credentialId: uuid('credential_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    kind: text('kind').notNull(),
    trigger: text('trigger').notNull(),
    status: text('status').notNull(),
    points: integer('points').notNull(),
    from: day('from_day').notNull(),
    to: day('to_day').notNull(),
    counts: jsonb('counts').notNull().default({}),
    message: text('message').notNull().default(''),
    createdBy: uuid('created_by'),
    /** The API key by which they asked for it. */
    keyId: uuid('key_id'),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.credentialId],
      foreignColumns: [enedisCredentials.companyId, enedisCredentials.id],
    }).onDelete('cascade'),
    index('sync_tasks_recent').on(t.companyId, t.createdAt),
    index('sync_tasks_operation').on(t.companyId, t.operationId, t.createdAt),
  ],
)

/** One call of a task: a point and some days. The same one is in flight once. */
export const syncWindows = pgTable(
  'sync_windows',
  {
    ...ownerColumns(),
    taskId: uuid('task_id').notNull(),
    credentialId: uuid('credential_id').notNull(),
    kind: text('kind').notNull(),
    /** Null where the whole operation is asked for. */
    pointId: uuid('point_id'),
    /** The point's number, or the operation's where there is no point. */
    subject: text('subject').notNull(),
    /** Empty where there is no point. */
    direction: text('direction').notNull().default(''),
    from: day('from_day').notNull(),
    to: day('to_day').notNull(),
    status: text('status').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAt: instant('next_at').notNull().defaultNow(),
    fault: jsonb('fault'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.taskId], foreignColumns: [syncTasks.companyId, syncTasks.id] }).onDelete(
      'cascade',
    ),
    index('sync_windows_task').on(t.companyId, t.taskId),
    index('sync_windows_point').on(t.companyId, t.pointId, t.from),
    index('sync_windows_due')
      .on(t.companyId, t.credentialId, t.nextAt)
      .where(sql`${t.status} in ('waiting', 'running')`),
    uniqueIndex('sync_windows_in_flight')
      .on(t.companyId, t.kind, t.subject, t.direction, t.from, t.to)
      .where(sql`${t.status} in ('waiting', 'running')`),
  ],
)

/** Each try of a call, with the hash of what came back. */
export const syncAttempts = pgTable(
  'sync_attempts',
  {
    ...ownerColumns(),
    windowId: uuid('window_id').notNull(),
    at: instant('at').notNull(),
    request: text('request').notNull(),
    status: integer('status'),
    code: text('code').notNull().default(''),
    requestId: text('request_id').notNull().default(''),
    milliseconds: integer('milliseconds').notNull(),
    sha256: text('sha256'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.windowId],
      foreignColumns: [syncWindows.companyId, syncWindows.id],
    }).onDelete('cascade'),
    index('sync_attempts_window').on(t.companyId, t.windowId),
  ],
)

/** What went wrong and why: one open line per cause and point, counted when it comes again. */
export const syncErrors = pgTable(
  'sync_errors',
  {
    ...ownerColumns(),
    code: text('code').notNull(),
    nature: text('nature').notNull(),
    fault: jsonb('fault').notNull(),
    operationId: uuid('operation_id'),
    pointId: uuid('point_id'),
    /** The point's or the operation's number, or the file's name. */
    subject: text('subject').notNull(),
    taskId: uuid('task_id'),
    requestId: text('request_id').notNull().default(''),
    /** Under which the last answer is kept as it came. */
    sha256: text('sha256'),
    times: integer('times').notNull().default(1),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    handledAt: instant('handled_at'),
    handledBy: text('handled_by').notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('sync_errors_recent').on(t.companyId, t.lastAt),
    uniqueIndex('sync_errors_open').on(t.companyId, t.code, t.subject).where(sql`${t.handledAt} is null`),
  ],
)

/** How a point stands with the distributor: stopped calls, and when its readings usually come. */
export const pointLinks = pgTable(
  'point_links',
  {
    companyId: integer('company_id').notNull(),
    pointId: uuid('point_id').notNull(),
    blockedAt: instant('blocked_at'),
    fault: jsonb('fault'),
    /** The end of the access service, where the distributor says it. */
    accessUntil: day('access_until'),
    samples: integer('samples').notNull().default(0),
    /** Minutes after the end of a day: mean, and how far from it readings usually come. */
    arrivalMean: integer('arrival_mean'),
    arrivalSpread: integer('arrival_spread'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.pointId] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }).onDelete(
      'cascade',
    ),
  ],
)

export const syncSettings = pgTable('sync_settings', {
  companyId: integer('company_id')
    .primaryKey()
    .references(() => companies.id),
  hour: integer('hour').notNull().default(8),
  enabled: boolean('enabled').notNull().default(true),
  rollingDays: integer('rolling_days').notNull().default(30),
  folder: text('folder').notNull().default(''),
  /** Sealed. */
  fileKey: text('file_key'),
  toleranceWh: integer('tolerance_wh').notNull().default(1000),
  version: version(),
})

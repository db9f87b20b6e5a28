import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day, instant, version } from './columns.ts'
import { connections } from './connections.ts'
import { ownerColumns } from './owned.ts'
import { users } from './users.ts'

/** Which rows, and how they are written. */
const exportRequestColumns = () => ({
  /** A row of the table of data sets. */
  dataSet: text('data_set').notNull(),
  operationId: uuid('operation_id'),
  participantId: uuid('participant_id'),
  format: text('format').notNull(),
  dialect: text('dialect').notNull(),
})

/** Data that somebody asked for as a file; the file goes after some days, this stays to be asked for again. */
export const dataExports = pgTable(
  'data_exports',
  {
    ...ownerColumns(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The API key by which they asked. */
    keyId: uuid('key_id'),
    askedBy: text('asked_by').notNull(),
    ...exportRequestColumns(),
    from: day('from_day'),
    to: day('to_day'),
    name: text('name').notNull(),
    /** The operations it was limited to, as the asker was; null where nothing was. */
    within: uuid('within').array(),
    /** waiting, running, done, failed, cancelled or expired */
    state: text('state').notNull().default('waiting'),
    /** About how many rows there were when it was asked for. */
    expected: bigNumber('expected').notNull().default(0),
    /** How far it has come: rows and bytes that are on the disk, and the place after them. */
    rows: bigNumber('rows').notNull().default(0),
    bytes: bigNumber('bytes').notNull().default(0),
    cursor: text('cursor').notNull().default(''),
    /** Where the file lies once it is there. */
    fileKey: text('file_key').notNull().default(''),
    failure: text('failure').notNull().default(''),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
    expiresAt: instant('expires_at'),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('data_exports_recent').on(t.companyId, t.userId, t.createdAt.desc()),
    index('data_exports_expiry').on(t.expiresAt).where(sql`${t.state} = 'done'`),
    check('data_exports_state', sql`${t.state} in ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')`),
    check('data_exports_format', sql`${t.format} in ('csv', 'xlsx', 'json', 'jsonl', 'parquet')`),
    check('data_exports_dialect', sql`${t.dialect} in ('french', 'rfc')`),
  ],
)

/** What leaves with each run of a connection, in the name of whoever wanted it. */
export const exportPlans = pgTable(
  'export_plans',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    connectionId: uuid('connection_id').notNull(),
    makerId: uuid('maker_id')
      .notNull()
      .references(() => users.id),
    /** The API key by which they planned it. */
    keyId: uuid('key_id'),
    ...exportRequestColumns(),
    /** yesterday, last-week, last-month or month-to-date */
    period: text('period').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.connectionId],
      foreignColumns: [connections.companyId, connections.id],
    }).onDelete('cascade'),
    index('export_plans_connection').on(t.companyId, t.connectionId),
    check('export_plans_period', sql`${t.period} in ('yesterday', 'last-week', 'last-month', 'month-to-date')`),
  ],
)

import { sql } from 'drizzle-orm'
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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, bytes, createdAt, day, instant } from './columns.ts'
import { companies } from './companies.ts'
import { files } from './files.ts'
import { ownerColumns } from './owned.ts'
import { points } from './participants.ts'

/** A file of readings on its way into the store: read, shown, confirmed, stored. */
export const curveImports = pgTable(
  'curve_imports',
  {
    ...ownerColumns(),
    fileId: uuid('file_id').notNull(),
    name: text('name').notNull(),
    status: text('status').notNull(),
    /** What the person corrected of what was detected. */
    choices: jsonb('choices').notNull().default({}),
    detected: jsonb('detected'),
    /** What only a person can say, and what is known beside it. */
    asked: jsonb('asked').notNull().default({ questions: [], known: [] }),
    /** Whether the person agreed that measured values become others. */
    overwrite: boolean('overwrite').notNull().default(false),
    /** What they were shown of what it does to figures that stand, or why a program did not ask; null before they confirm. */
    seen: jsonb('seen'),
    /** What would be, then what was, stored per point. */
    series: jsonb('series').notNull().default([]),
    problems: jsonb('problems').notNull().default([]),
    counts: jsonb('counts').notNull().default({}),
    message: text('message').notNull().default(''),
    progress: integer('progress').notNull().default(0),
    /** Null where no person brought it: it came by the watched folder. */
    createdBy: uuid('created_by'),
    createdAt: createdAt(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    index('curve_imports_recent').on(t.companyId, t.createdAt),
  ],
)

/**
 * The readings of a point on a local day, as they were known from `receivedAt` until `supersededAt`.
 * A correction is another row: only `supersededAt` is ever set.
 */
export const curveDays = pgTable(
  'curve_days',
  {
    companyId: integer('company_id').notNull(),
    pointId: uuid('point_id').notNull(),
    day: day('day').notNull(),
    version: integer('version').notNull(),
    step: smallint('step').notNull(),
    /** Int32 watts, little-endian, -1 where missing: the whole day. */
    watts: bytes('watts').notNull(),
    /** One byte per step (0 missing, 1 raw, 2 corrected, 3 estimated, 4 doubtful) where they differ; null where all that is known is `quality`. */
    marks: bytes('marks'),
    quality: smallint('quality').notNull(),
    present: smallint('present').notNull(),
    expected: smallint('expected').notNull(),
    /** Watt-minutes of what is known. */
    energy: bigNumber('energy').notNull(),
    peak: integer('peak').notNull(),
    source: text('source').notNull(),
    importId: uuid('import_id'),
    receivedAt: instant('received_at').notNull(),
    supersededAt: instant('superseded_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.pointId, t.day, t.version] }),
    uniqueIndex('curve_days_current').on(t.companyId, t.pointId, t.day).where(sql`${t.supersededAt} is null`),
  ],
)

/** Sums of the current days of a month, kept in the transaction that writes the days. */
export const curveMonths = pgTable(
  'curve_months',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    pointId: uuid('point_id').notNull(),
    month: day('month').notNull(),
    days: smallint('days').notNull(),
    present: integer('present').notNull(),
    /** Steps of the days that have a row, at each day's own step. */
    expected: integer('expected').notNull(),
    energy: bigNumber('energy').notNull(),
    peak: integer('peak').notNull(),
    /** The days that have a row, a bit each from the first, and a letter for each of them: see `letterOf` of the curves. */
    mask: integer('mask').notNull().default(0),
    letters: text('letters').notNull().default(''),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.pointId, t.month] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }),
  ],
)

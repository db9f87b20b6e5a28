import { sql } from 'drizzle-orm'
import {
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
import { files } from './files.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'
import { points } from './participants.ts'

/** A file of the distributor: decoded, or put aside whole with the reason. */
export const distributorFiles = pgTable(
  'distributor_files',
  {
    ...ownerColumns(),
    fileId: uuid('file_id').notNull(),
    name: text('name').notNull(),
    sha256: text('sha256').notNull(),
    kind: text('kind').notNull().default(''),
    status: text('status').notNull(),
    reason: text('reason').notNull().default(''),
    size: bigNumber('size').notNull(),
    counts: jsonb('counts').notNull().default({}),
    source: text('source').notNull(),
    receivedAt: instant('received_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    uniqueIndex('distributor_files_content').on(t.companyId, t.sha256),
    index('distributor_files_recent').on(t.companyId, t.receivedAt),
  ],
)

/** What the distributor attributed to a point over a period, in its own classes. A rectification is another row. */
export const distributorQuantities = pgTable(
  'distributor_quantities',
  {
    ...ownerColumns(),
    /** Null where a file names a point that is in no operation at that time. */
    operationId: uuid('operation_id'),
    pointId: uuid('point_id').notNull(),
    from: day('from_day').notNull(),
    to: day('to_day').notNull(),
    /** cons, prod, autocons, surplus, complement */
    type: text('type').notNull(),
    calendar: text('calendar').notNull(),
    name: text('name').notNull(),
    wh: bigNumber('wh').notNull(),
    /** api or R15 */
    source: text('source').notNull(),
    receivedAt: instant('received_at').notNull(),
    supersededAt: instant('superseded_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }),
    uniqueIndex('distributor_quantities_current')
      .on(t.companyId, t.pointId, t.from, t.to, t.type, t.calendar, t.name, t.source)
      .where(sql`${t.supersededAt} is null`),
    index('distributor_quantities_operation')
      .on(t.companyId, t.operationId, t.from)
      .where(sql`${t.supersededAt} is null`),
  ],
)

/** The distributor's series of a point on a local day: what it was attributed, step by step. */
export const distributorDays = pgTable(
  'distributor_days',
  {
    companyId: integer('company_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    pointId: uuid('point_id').notNull(),
    day: day('day').notNull(),
    type: text('type').notNull(),
    step: smallint('step').notNull(),
    /** Int32 watts, little-endian, -1 where missing: the whole day. */
    watts: bytes('watts').notNull(),
    /** Watt-minutes of what is known, and steps of which nothing is. */
    energy: bigNumber('energy').notNull(),
    missing: smallint('missing').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.operationId, t.pointId, t.day, t.type] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }),
  ],
)

/** Energy of a whole day by the distributor's own count, to hold the curve against. */
export const distributorEnergies = pgTable(
  'distributor_energies',
  {
    companyId: integer('company_id').notNull(),
    pointId: uuid('point_id').notNull(),
    day: day('day').notNull(),
    wh: bigNumber('wh').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.pointId, t.day] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }),
  ],
)

/** An index of a meter at the start of a local day. */
export const distributorIndexes = pgTable(
  'distributor_indexes',
  {
    companyId: integer('company_id').notNull(),
    pointId: uuid('point_id').notNull(),
    day: day('day').notNull(),
    calendar: text('calendar').notNull(),
    name: text('name').notNull(),
    wh: bigNumber('wh').notNull(),
    /** R15, R64, R151… */
    source: text('source').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.pointId, t.day, t.calendar, t.name, t.source] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }),
  ],
)

/** An agreement's points as the distributor has them, as last read. */
export const distributorPerimeters = pgTable(
  'distributor_perimeters',
  {
    companyId: integer('company_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    prm: text('prm').notNull(),
    direction: text('direction').notNull(),
    startsOn: day('starts_on'),
    endsOn: day('ends_on'),
    readAt: instant('read_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.operationId, t.prm, t.direction] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
  ],
)

/** What happened to a contract, as a C15 tells it. */
export const contractEvents = pgTable(
  'contract_events',
  {
    ...ownerColumns(),
    prm: text('prm').notNull(),
    event: text('event').notNull(),
    on: day('on_day').notNull(),
    collective: smallint('collective'),
    fileId: uuid('file_id'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('contract_events_once').on(t.companyId, t.prm, t.event, t.on),
  ],
)

import { boolean, index, integer, pgTable, primaryKey, smallint, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, bytes, day } from './columns.ts'
import { ownerColumns } from './owned.ts'

/**
 * Days whose kept sums no longer follow from what was read or allocated: of operations, or of whichever operations the
 * points take part in. Written by whoever changes those, in the same transaction; taken away by who sums them again.
 */
export const sumMarks = pgTable(
  'sum_marks',
  {
    ...ownerColumns(),
    operationIds: uuid('operation_ids').array().notNull().default([]),
    pointIds: uuid('point_ids').array().notNull().default([]),
    startsOn: day('starts_on').notNull(),
    endsOn: day('ends_on'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] })],
)

/** Energies in watt-minutes. A side is 0 consumed, 1 produced, 2 charged, 3 released. */
const sums = () => ({
  companyId: integer('company_id').notNull(),
  operationId: uuid('operation_id').notNull(),
  side: smallint('side').notNull(),
  /** What was read: steps that came, those of the days that have a row, those days, and how good the weakest is. */
  energy: bigNumber('energy').notNull(),
  present: integer('present').notNull(),
  expected: integer('expected').notNull(),
  days: integer('days').notNull(),
  holes: boolean('holes').notNull(),
  quality: smallint('quality').notNull(),
  estimated: integer('estimated').notNull(),
  /** What the runs in force say: drawn or injected, shared, and the steps they left out of those they hold. */
  total: bigNumber('total').notNull(),
  local: bigNumber('local').notNull(),
  excluded: integer('excluded').notNull(),
  steps: integer('steps').notNull(),
  /** Days of members that something was read of, and days of members that something local went to or came from. */
  seen: integer('seen').notNull(),
  given: integer('given').notNull(),
})

/** Sums of an operation's day; a day of which nothing is known has no row. */
export const operationDays = pgTable('operation_days', { ...sums(), day: day('day').notNull() }, (t) => [
  primaryKey({ columns: [t.companyId, t.operationId, t.day, t.side] }),
  /** What is drawn of each operation day by day, without the rows. */
  index('operation_days_local').on(t.companyId, t.operationId, t.side, t.day, t.local, t.steps, t.excluded),
])

/** Sums of the days of a month. */
export const operationMonths = pgTable('operation_months', { ...sums(), month: day('month').notNull() }, (t) => [
  primaryKey({ columns: [t.companyId, t.operationId, t.month, t.side] }),
])

/** An operation's day step by step, packed. */
export const operationSteps = pgTable(
  'operation_steps',
  {
    companyId: integer('company_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    day: day('day').notNull(),
    step: smallint('step').notNull(),
    packed: bytes('packed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.operationId, t.day] })],
)

/** An operation's month hour by hour, a row for each column of its sums: whoever draws one reads no other. */
export const operationHours = pgTable(
  'operation_hours',
  {
    companyId: integer('company_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    month: day('month').notNull(),
    part: smallint('part').notNull(),
    step: smallint('step').notNull(),
    /** The days of the month that are in it. */
    mask: integer('mask').notNull(),
    packed: bytes('packed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.operationId, t.month, t.part] })],
)

/** What each participation of an operation read and was given on a day, or on the days of a month: their ids, and their sums. */
export const operationSeats = pgTable(
  'operation_seats',
  {
    companyId: integer('company_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    monthly: boolean('monthly').notNull(),
    day: day('day').notNull(),
    seats: bytes('seats').notNull(),
    packed: bytes('packed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.operationId, t.monthly, t.day] })],
)

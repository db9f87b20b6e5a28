import { boolean, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day, version } from './columns.ts'
import { ownerColumns } from './owned.ts'
import { points } from './participants.ts'

/** What somebody looks at often: the address of a screen, kept under a name, for oneself or for the whole organisation. */
export const savedViews = pgTable(
  'saved_views',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    /** What follows the question mark. */
    search: text('search').notNull(),
    shared: boolean('shared').notNull().default(false),
    createdBy: uuid('created_by').notNull(),
    version: version(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), index('saved_views_person').on(t.companyId, t.createdBy)],
)

/** What a plant costs or brings beside its issued invoices, as it was entered: never guessed. */
export const plantAmounts = pgTable(
  'plant_amounts',
  {
    ...ownerColumns(),
    pointId: uuid('point_id').notNull(),
    kind: text('kind').notNull(),
    label: text('label').notNull().default(''),
    /** Cents, each time it falls due. */
    amount: bigNumber('amount').notNull(),
    every: text('every').notNull(),
    startsOn: day('starts_on').notNull(),
    endsOn: day('ends_on'),
    version: version(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }),
    index('plant_amounts_point').on(t.companyId, t.pointId),
  ],
)

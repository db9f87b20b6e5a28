import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day } from './columns.ts'
import { ownerColumns } from './owned.ts'
import { participants, points } from './participants.ts'

/** What a supplier's invoice says of a point over some days, and what it was found to be when it was checked. */
export const supplierBills = pgTable(
  'supplier_bills',
  {
    ...ownerColumns(),
    participantId: uuid('participant_id').notNull(),
    pointId: uuid('point_id').notNull(),
    supplier: text('supplier').notNull(),
    number: text('number').notNull().default(''),
    from: day('from_day').notNull(),
    to: day('to_day').notNull(),
    /** Whole kWh, as suppliers print them: taken off for local energy, and left to be paid where the invoice says it. */
    deductedKwh: integer('deducted_kwh').notNull(),
    billedKwh: integer('billed_kwh'),
    /** right, short (too little was taken off), over (too much), unknown (days are missing). */
    verdict: text('verdict').notNull(),
    /** Local energy of the days, in Wh; null where a day is missing. */
    expectedWh: bigNumber('expected_wh'),
    consumedWh: bigNumber('consumed_wh'),
    /** Months and gaps behind the verdict, as they were then. */
    detail: jsonb('detail').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }),
    index('supplier_bills_participant').on(t.companyId, t.participantId, t.from),
    check('supplier_bills_days', sql`${t.from} < ${t.to}`),
    check('supplier_bills_verdict', sql`${t.verdict} in ('right', 'short', 'over', 'unknown')`),
  ],
)

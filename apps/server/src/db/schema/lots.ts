import { sql } from 'drizzle-orm'
import { check, foreignKey, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { version } from './columns.ts'
import { participants } from './participants.ts'

/** A buyer who passes its charge on: a co-ownership, a landlord. Its lots in their order, as `Lot` of the contract. */
export const lotSpreads = pgTable(
  'lot_spreads',
  {
    companyId: integer('company_id').notNull(),
    participantId: uuid('participant_id').notNull(),
    /** share (tantièmes) or lot (equal parts) */
    by: text('by').notNull(),
    lots: jsonb('lots').notNull(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.participantId] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    check('lot_spreads_by', sql`${t.by} in ('share', 'lot')`),
  ],
)

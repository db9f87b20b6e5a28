import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, day, instant, version } from './columns.ts'
import { siteOwned } from './site-owned.ts'

export const bookings = pgTable(
  'bookings',
  {
    ...siteOwned(),
    reference: text('reference').notNull(),
    status: text('status').notNull(),
    startsAt: instant('starts_at').notNull(),
    /** The same in Paris, as it was chosen. */
    day: day('day').notNull(),
    time: text('time').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    company: text('company').notNull(),
    projectType: text('project_type').notNull(),
    message: text('message').notNull(),
    meetingUrl: text('meeting_url').notNull().default(''),
    note: text('note').notNull().default(''),
    /** Counts the invitations sent: a calendar replaces an event by one of a higher sequence. */
    sequence: integer('sequence').notNull().default(0),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    // The database itself keeps two people from the same half hour.
    uniqueIndex('bookings_slot').on(t.companyId, t.startsAt).where(sql`${t.status} in ('booked', 'confirmed')`),
    uniqueIndex('bookings_reference').on(t.companyId, t.reference),
    index('bookings_day').on(t.companyId, t.startsAt),
  ],
)

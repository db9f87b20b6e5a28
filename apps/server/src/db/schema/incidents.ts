import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, version } from './columns.ts'

/** What went wrong with the service, or is to be done to it, as it is told to everybody. */
export const incidents = pgTable(
  'incidents',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind').notNull(),
    title: text('title').notNull(),
    parts: text('parts').array().notNull(),
    severity: text('severity'),
    state: text('state').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at'),
    closedAt: instant('closed_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    check('incidents_kind', sql`${t.kind} in ('incident', 'maintenance')`),
    check(
      'incidents_window',
      sql`(${t.kind} = 'maintenance') = (${t.endsAt} is not null) and ${t.endsAt} > ${t.startsAt}`,
    ),
    index('incidents_newest').on(t.startsAt.desc()),
  ],
)

/** What was said of it, and when; it stays as it was said. */
export const incidentUpdates = pgTable(
  'incident_updates',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    incidentId: uuid('incident_id').notNull(),
    at: instant('at').notNull().defaultNow(),
    state: text('state').notNull(),
    message: text('message').notNull(),
  },
  (t) => [
    foreignKey({ name: 'incident_updates_incident', columns: [t.incidentId], foreignColumns: [incidents.id] }),
    index('incident_updates_of').on(t.incidentId, t.at),
  ],
)

/** Who asked to be told, with their address alone. */
export const statusSubscribers = pgTable(
  'status_subscribers',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull(),
    /** waiting, confirmed or left */
    state: text('state').notNull().default('waiting'),
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('status_subscribers_email').on(t.email),
    check('status_subscribers_state', sql`${t.state} in ('waiting', 'confirmed', 'left')`),
  ],
)

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
import { bigNumber, createdAt, instant, version } from './columns.ts'
import { ownerColumns } from './owned.ts'

/** How many events a subscriber took in an hour, and how long after they happened; events keep no trace of it. */
export const eventSums = pgTable(
  'event_sums',
  {
    companyId: integer('company_id').notNull(),
    subscriber: text('subscriber').notNull(),
    event: text('event').notNull(),
    hour: instant('hour').notNull(),
    taken: integer('taken').notNull(),
    /** How many fell into each step of the histogram. */
    delays: bigNumber('delays').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.subscriber, t.event, t.hour] })],
)

/** What a company has sent elsewhere, by what happened. */
export const flowRules = pgTable(
  'flow_rules',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    event: text('event').notNull(),
    /** All of them hold: field, comparison, values. */
    conditions: jsonb('conditions').notNull(),
    /** A row of the table of destinations, and which one of that kind. */
    destination: text('destination').notNull(),
    destinationId: uuid('destination_id').notNull(),
    /** Those that are sent and under which name; all of them where none is named. */
    fields: jsonb('fields').notNull(),
    active: boolean('active').notNull().default(true),
    createdAt: createdAt(),
    createdBy: text('created_by').notNull(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), index('flow_rules_event').on(t.companyId, t.event)],
)

/** What a rule made of an event: one row of each, whatever is killed. */
export const flowDeliveries = pgTable(
  'flow_deliveries',
  {
    ...ownerColumns(),
    ruleId: uuid('rule_id').notNull(),
    seq: bigNumber('seq').notNull(),
    event: text('event').notNull(),
    occurredAt: instant('occurred_at').notNull(),
    payload: jsonb('payload').notNull(),
    status: text('status').notNull(),
    error: text('error').notNull().default(''),
    createdAt: createdAt(),
    /** When it was handed over to what carries it. */
    sentAt: instant('sent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.ruleId], foreignColumns: [flowRules.companyId, flowRules.id] }).onDelete(
      'cascade',
    ),
    uniqueIndex('flow_deliveries_once').on(t.companyId, t.ruleId, t.seq),
    index('flow_deliveries_newest').on(t.companyId, t.createdAt.desc()),
  ],
)

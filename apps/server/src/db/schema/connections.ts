import { sql } from 'drizzle-orm'
import {
  check,
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
import { apiKeys } from './api-keys.ts'
import { bigNumber, createdAt, instant, version } from './columns.ts'
import { companies } from './companies.ts'
import { ownerColumns } from './owned.ts'
import { users } from './users.ts'

/** A company's way to a system of somebody else. */
export const connections = pgTable(
  'connections',
  {
    ...ownerColumns(),
    /** A row of the table of connectors. */
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    /** Sealed: all that was entered, secrets or not. */
    settings: text('settings').notNull(),
    /** active, paused or stopped */
    state: text('state').notNull(),
    /** What is wrong with it, for people. */
    trouble: text('trouble').notNull().default(''),
    schedule: text('schedule').notNull().default('none'),
    /** What is sent at each run. */
    shipments: text('shipments').array().notNull().default([]),
    /** The key of the server as it was first seen, or accepted since; another that it showed later. */
    hostKey: text('host_key').notNull().default(''),
    offeredKey: text('offered_key').notNull().default(''),
    /** Of a feed. */
    keyId: uuid('key_id'),
    /** In whose name it runs: who saved it last. */
    makerId: uuid('maker_id')
      .notNull()
      .references(() => users.id),
    /** The API key by which they did: what it could no longer ask for does not run for it. */
    makerKeyId: uuid('maker_key_id'),
    /** Failures since the last success. */
    failures: integer('failures').notNull().default(0),
    nextRunAt: instant('next_run_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
    index('connections_next').on(t.nextRunAt),
    // A company has one sender of its own.
    uniqueIndex('connections_sender').on(t.companyId).where(sql`${t.kind} = 'smtp' and ${t.state} = 'active'`),
    check('connections_state', sql`${t.state} in ('active', 'paused', 'stopped')`),
    check('connections_schedule', sql`${t.schedule} in ('none', 'six-hours', 'night', 'week', 'month')`),
  ],
)

export const connectionRuns = pgTable(
  'connection_runs',
  {
    ...ownerColumns(),
    connectionId: uuid('connection_id').notNull(),
    /** running, done or failed */
    state: text('state').notNull().default('running'),
    askedBy: text('asked_by').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    endedAt: instant('ended_at'),
    files: integer('files').notNull().default(0),
    bytes: bigNumber('bytes').notNull().default(0),
    failure: text('failure').notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.connectionId],
      foreignColumns: [connections.companyId, connections.id],
    }).onDelete('cascade'),
    index('connection_runs_newest').on(t.companyId, t.connectionId, t.startedAt.desc()),
    check('connection_runs_state', sql`${t.state} in ('running', 'done', 'failed')`),
  ],
)

/** What a run did, a line for each step. */
export const connectionSteps = pgTable(
  'connection_steps',
  {
    ...ownerColumns(),
    runId: uuid('run_id').notNull(),
    at: instant('at').notNull().defaultNow(),
    text: text('text').notNull(),
    milliseconds: integer('milliseconds').notNull().default(0),
    bytes: bigNumber('bytes').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.runId],
      foreignColumns: [connectionRuns.companyId, connectionRuns.id],
    }).onDelete('cascade'),
    index('connection_steps_run').on(t.companyId, t.runId, t.at),
  ],
)

/** What has left: the same content under the same name is not sent twice. */
export const connectionDeliveries = pgTable(
  'connection_deliveries',
  {
    ...ownerColumns(),
    connectionId: uuid('connection_id').notNull(),
    name: text('name').notNull(),
    sha256: text('sha256').notNull(),
    bytes: bigNumber('bytes').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.connectionId],
      foreignColumns: [connections.companyId, connections.id],
    }).onDelete('cascade'),
    uniqueIndex('connection_deliveries_once').on(t.companyId, t.connectionId, t.name, t.sha256),
  ],
)

/** Each forecast as it was issued: what was known when. Places are tenths of a degree. */
export const weatherRuns = pgTable(
  'weather_runs',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    latitude: integer('latitude').notNull(),
    longitude: integer('longitude').notNull(),
    issuedAt: instant('issued_at').notNull(),
    /** `WeatherValues` of core/weather.ts: by hour, null where the provider said nothing. */
    values: jsonb('values').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.latitude, t.longitude, t.issuedAt] })],
)

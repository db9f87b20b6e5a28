import type { ArchivePreview } from '@voisol/contract/backups'
import { sql } from 'drizzle-orm'
import {
  boolean,
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
import { bigNumber, createdAt, instant, version } from './columns.ts'
import { files } from './files.ts'
import { ownerColumns } from './owned.ts'

/** What was done with copies of the installation. The copies themselves are known by what lies where they are kept. */
export const copyRuns = pgTable(
  'copy_runs',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** copy, verify or drill */
    kind: text('kind').notNull(),
    /** The name of the copy; empty while there is none yet. */
    copy: text('copy').notNull().default(''),
    /** running, done or failed */
    state: text('state').notNull().default('running'),
    askedBy: text('asked_by').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    endedAt: instant('ended_at'),
    seconds: integer('seconds'),
    failure: text('failure'),
    /** Of a drill: what was looked at, and whether it held. */
    findings: jsonb('findings').$type<{ label: string; ok: boolean; detail: string }[]>().notNull().default([]),
  },
  (t) => [
    index('copy_runs_started').on(t.startedAt),
    check('copy_runs_kind', sql`${t.kind} in ('copy', 'verify', 'drill')`),
    check('copy_runs_state', sql`${t.state} in ('running', 'done', 'failed')`),
  ],
)

export const copySchedule = pgTable(
  'copy_schedule',
  {
    id: integer('id').primaryKey().default(1),
    enabled: boolean('enabled').notNull().default(true),
    /** Of the clock of Paris. */
    hour: integer('hour').notNull().default(2),
    /** Monday is 1. */
    drillDay: integer('drill_day').notNull().default(7),
    days: integer('days').notNull().default(14),
    weeks: integer('weeks').notNull().default(8),
    months: integer('months').notNull().default(12),
    version: version(),
  },
  (t) => [check('copy_schedule_one', sql`${t.id} = 1`)],
)

/** A copy that a company made of what is its own, or one it took up. */
export const companyCopies = pgTable(
  'company_copies',
  {
    ...ownerColumns(),
    /** export or import */
    kind: text('kind').notNull(),
    /** waiting, read (an archive to import that waits for a confirmation), done, failed or expired */
    state: text('state').notNull().default('waiting'),
    name: text('name').notNull(),
    askedBy: text('asked_by').notNull(),
    userId: uuid('user_id'),
    fileId: uuid('file_id'),
    size: bigNumber('size'),
    rows: bigNumber('rows'),
    files: integer('files'),
    failure: text('failure'),
    /** Of an archive to import: what it would bring, shown before somebody confirms it. */
    preview: jsonb('preview').$type<ArchivePreview>(),
    confirmedAt: instant('confirmed_at'),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
    expiresAt: instant('expires_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    check('company_copies_kind', sql`${t.kind} in ('export', 'import')`),
    check('company_copies_state', sql`${t.state} in ('waiting', 'read', 'done', 'failed', 'expired')`),
  ],
)

/** Other installations whose archives of companies are believed, as the owner of the site entered them. */
export const trustedInstallations = pgTable(
  'trusted_installations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    /** Ed25519, 32 bytes in base64. */
    publicKey: text('public_key').notNull(),
    addedBy: text('added_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('trusted_installations_key').on(t.publicKey)],
)

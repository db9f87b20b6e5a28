import type { RetentionCounts, RetentionMonths } from '@voisol/contract/retention'
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bigNumber, bytes, createdAt, day, instant } from './columns.ts'
import { companies } from './companies.ts'
import { ownerColumns } from './owned.ts'

/** A pass over what has been kept long enough: what it would remove, or what it has removed. */
export const retentionRuns = pgTable(
  'retention_runs',
  {
    ...ownerColumns(),
    stage: text('stage').$type<'preview' | 'pass'>().notNull(),
    /** The durations it went by, and a hash of them: a change of one asks for another yes. */
    months: jsonb('months').$type<RetentionMonths>().notNull(),
    seal: text('seal').notNull(),
    counts: jsonb('counts').$type<RetentionCounts>().notNull(),
    createdAt: createdAt(),
    finishedAt: instant('finished_at'),
    /** Of a preview: when somebody said yes to it, and who. */
    confirmedAt: instant('confirmed_at'),
    confirmedBy: text('confirmed_by').notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('retention_runs_recent').on(t.companyId, t.stage, t.createdAt),
    check('retention_runs_stage', sql`${t.stage} in ('preview', 'pass')`),
  ],
)

/** Where a company's journal begins once its first entries have served: the last link that went, signed. */
export const auditStarts = pgTable('audit_starts', {
  companyId: integer('company_id')
    .primaryKey()
    .references(() => companies.id),
  seq: bigNumber('seq').notNull(),
  hash: bytes('hash').notNull(),
  seal: bytes('seal').notNull(),
})

/** Before that first of a month a company keeps no step of a curve any more: the sums of days and months stand in their place. */
export const retiredCurves = pgTable('retired_curves', {
  companyId: integer('company_id')
    .primaryKey()
    .references(() => companies.id),
  before: day('before').notNull(),
})

import { sql } from 'drizzle-orm'
import { boolean, check, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from './columns.ts'
import { ownerColumns } from './owned.ts'

/** Work on many participants at once: what is asked, for whom as it was seen, and what came of it. */
export const bulkRuns = pgTable(
  'bulk_runs',
  {
    ...ownerColumns(),
    status: text('status').notNull(),
    dryRun: boolean('dry_run').notNull(),
    action: jsonb('action').notNull(),
    operationId: uuid('operation_id'),
    participantIds: uuid('participant_ids').array().notNull(),
    seal: text('seal').notNull(),
    /** That its effects on what was computed were seen, for a job that makes it later. */
    shown: text('shown'),
    report: jsonb('report'),
    message: text('message').notNull().default(''),
    createdBy: uuid('created_by'),
    createdAt: createdAt(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    check('bulk_runs_status', sql`${t.status} in ('running', 'done', 'failed')`),
  ],
)

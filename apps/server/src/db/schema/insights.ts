import { sql } from 'drizzle-orm'
import {
  check,
  doublePrecision,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, day, instant, version } from './columns.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'

/** What a rule found of a subject over some days, with the very numbers; one that stands for each rule and subject. */
export const insights = pgTable(
  'insights',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    rule: text('rule').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: uuid('subject_id').notNull(),
    startsOn: day('starts_on').notNull(),
    endsOn: day('ends_on').notNull(),
    wh: bigNumber('wh'),
    cents: bigNumber('cents'),
    confidence: doublePrecision('confidence').notNull(),
    /** By which it is told that one has grown: watt-hours, or the statistic where there are none. */
    size: doublePrecision('size').notNull(),
    /** `Numbers` of the feature: statistic, threshold, facts and what is drawn. */
    numbers: jsonb('numbers').notNull(),
    state: text('state').notNull().default('open'),
    reason: text('reason').notNull().default(''),
    silentUntil: day('silent_until'),
    decidedBy: text('decided_by').notNull().default(''),
    foundAt: instant('found_at').notNull(),
    seenAt: instant('seen_at').notNull(),
    closedAt: instant('closed_at'),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.operationId],
      foreignColumns: [operations.companyId, operations.id],
    }).onDelete('cascade'),
    uniqueIndex('insights_standing')
      .on(t.companyId, t.rule, t.operationId, t.subjectId)
      .where(sql`${t.state} in ('open', 'accepted')`),
    index('insights_state').on(t.companyId, t.state, t.seenAt),
    check('insights_known_state', sql`${t.state} in ('open', 'accepted', 'dismissed', 'closed')`),
    check('insights_confidence', sql`${t.confidence} between 0 and 1`),
  ],
)

/** When an operation was last looked at, and what would let more rules speak. */
export const insightLooks = pgTable(
  'insight_looks',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    lookedAt: instant('looked_at').notNull(),
    missing: text('missing').array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('insight_looks_operation').on(t.companyId, t.operationId),
    foreignKey({
      columns: [t.companyId, t.operationId],
      foreignColumns: [operations.companyId, operations.id],
    }).onDelete('cascade'),
  ],
)

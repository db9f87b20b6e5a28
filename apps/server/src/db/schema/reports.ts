import type { ReportBlock, ReportSpan, ReportSubject } from '@voisol/contract/report-blocks'
import type { ReportContent } from '@voisol/contract/report-content'
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
import { createdAt, day, version } from './columns.ts'
import { files } from './files.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { sellers } from './parties.ts'

/** What a company made of a preset: the blocks in its order, with its words. */
export const reportTemplates = pgTable(
  'report_templates',
  {
    ...ownerColumns(),
    preset: text('preset').notNull(),
    name: text('name').notNull(),
    blocks: jsonb('blocks').$type<ReportBlock[]>().notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), uniqueIndex('report_templates_name').on(t.companyId, t.name)],
)

/** One of them names whom or what it is about. */
const subject = () => ({
  operationId: uuid('operation_id'),
  participantId: uuid('participant_id'),
  sellerId: uuid('seller_id'),
})

/** A report as it was made, with all that it shows: made again, it is another row. */
export const reports = pgTable(
  'reports',
  {
    ...ownerColumns(),
    preset: text('preset').notNull(),
    /** The template of the company, which may be gone since; null where the preset was taken as it is. */
    templateId: uuid('template_id'),
    subject: text('subject').$type<ReportSubject>().notNull(),
    ...subject(),
    span: text('span').$type<ReportSpan>().notNull(),
    period: text('period').notNull(),
    number: integer('number').notNull(),
    content: jsonb('content').$type<ReportContent>().notNull(),
    /** What one must be allowed to read to be shown it. */
    rights: text('rights').array().notNull(),
    fileId: uuid('file_id').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    check('reports_subject', sql`num_nonnulls(${t.operationId}, ${t.participantId}, ${t.sellerId}) = 1`),
    index('reports_recent').on(t.companyId, t.createdAt),
  ],
)

/** A report that leaves by mail, every month or every year. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    ...ownerColumns(),
    preset: text('preset').notNull(),
    templateId: uuid('template_id'),
    ...subject(),
    /** Of a yearly report. */
    month: integer('month'),
    day: integer('day').notNull(),
    recipientIds: uuid('recipient_ids').array().notNull(),
    /** In whose name it is made: what they may read is asked again each time. */
    makerId: uuid('maker_id').notNull(),
    /** The API key by which they set it. */
    keyId: uuid('key_id'),
    createdBy: text('created_by').notNull(),
    active: boolean('active').notNull().default(true),
    nextOn: day('next_on').notNull(),
    lastPeriod: text('last_period').notNull().default(''),
    trouble: text('trouble').notNull().default(''),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({
      columns: [t.companyId, t.templateId],
      foreignColumns: [reportTemplates.companyId, reportTemplates.id],
    }),
    check('report_schedules_subject', sql`num_nonnulls(${t.operationId}, ${t.participantId}, ${t.sellerId}) = 1`),
    check('report_schedules_day', sql`${t.day} between 1 and 28`),
    index('report_schedules_due').on(t.nextOn).where(sql`${t.active}`),
  ],
)

import { sql } from 'drizzle-orm'
import { check, foreignKey, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, day } from './columns.ts'
import { files } from './files.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'

/** What was made for the distributor or an authority, as it was then: another version is another row. */
export const regulatoryExports = pgTable(
  'regulatory_exports',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    kind: text('kind').notNull(),
    /** A month, a year, or nothing where it tells of the day it was made. */
    period: text('period').notNull(),
    number: integer('number').notNull(),
    rows: integer('rows').notNull(),
    /** Of what it says, not of its files: the same content is the same version. */
    hash: text('hash').notNull(),
    /** What it tells of, by id: a notice of movements names its participations and keys. */
    subjects: jsonb('subjects').notNull().default([]),
    /** The table, and the sheet to read where there is one. */
    fileId: uuid('file_id').notNull(),
    paperId: uuid('paper_id'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    foreignKey({ columns: [t.companyId, t.paperId], foreignColumns: [files.companyId, files.id] }),
    uniqueIndex('regulatory_exports_number').on(t.companyId, t.operationId, t.kind, t.period, t.number),
  ],
)

/** To whom a version went, when and how. */
export const regulatorySendings = pgTable(
  'regulatory_sendings',
  {
    ...ownerColumns(),
    exportId: uuid('export_id').notNull(),
    sentOn: day('sent_on').notNull(),
    recipient: text('recipient').notNull(),
    /** mail, portal, post, hand */
    channel: text('channel').notNull(),
    note: text('note').notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.exportId],
      foreignColumns: [regulatoryExports.companyId, regulatoryExports.id],
    }),
    check('regulatory_sendings_channel', sql`${t.channel} in ('mail', 'portal', 'post', 'hand')`),
  ],
)

/** A duty that somebody says is done; what is due is computed, never stored. */
export const dutyMarks = pgTable(
  'duty_marks',
  {
    companyId: integer('company_id').notNull(),
    /** What is due: « vat:<seller>:2026-05 ». */
    duty: text('duty').notNull(),
    doneOn: day('done_on').notNull(),
    note: text('note').notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.duty] })],
)

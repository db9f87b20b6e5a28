import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, bytes, instant } from './columns.ts'

/** Company 0 holds what happens before a company is known, such as refused sign-ins. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    companyId: integer('company_id').notNull(),
    seq: bigNumber('seq').notNull(),
    at: instant('at').notNull(),
    userId: uuid('user_id'),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    label: text('label').notNull(),
    target: text('target').notNull(),
    outcome: text('outcome').notNull(),
    detail: jsonb('detail').notNull(),
    requestId: text('request_id').notNull(),
    ip: text('ip').notNull(),
    hash: bytes('hash').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.seq] }),
    index('audit_entries_at').on(t.companyId, t.at),
    index('audit_entries_user').on(t.userId, t.at),
  ],
)

/** The last link of each chain, locked while the next one is written. */
export const auditHeads = pgTable('audit_heads', {
  companyId: integer('company_id').primaryKey(),
  seq: bigNumber('seq').notNull(),
  hash: bytes('hash').notNull(),
})

/** The last walk along a company's chain, and what it found. */
export const auditChecks = pgTable('audit_checks', {
  companyId: integer('company_id').primaryKey(),
  state: text('state').notNull(),
  askedAt: instant('asked_at').notNull(),
  finishedAt: instant('finished_at'),
  links: bigNumber('links').notNull().default(0),
  brokenSeq: bigNumber('broken_seq'),
  fault: text('fault'),
  sheet: text('sheet'),
})

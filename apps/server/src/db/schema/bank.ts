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
import { bigNumber, createdAt, day, version } from './columns.ts'
import { debits } from './debits.ts'
import { files } from './files.ts'
import { ownerColumns } from './owned.ts'
import { bankAccounts } from './payments.ts'

/** A statement as the bank gave it. Nothing of it changes. */
export const bankStatements = pgTable(
  'bank_statements',
  {
    ...ownerColumns(),
    accountId: uuid('account_id').notNull(),
    /** camt.053, camt.054, pain.002, csv */
    format: text('format').notNull(),
    /** What the bank calls it. */
    reference: text('reference').notNull().default(''),
    fileId: uuid('file_id').notNull(),
    from: day('from_day'),
    to: day('to_day'),
    /** Cents; null where the file tells no balance. */
    opening: bigNumber('opening'),
    closing: bigNumber('closing'),
    lines: integer('lines').notNull(),
    /** What is missing between the statement before it and this one, in words. */
    gap: text('gap').notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [bankAccounts.companyId, bankAccounts.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    index('bank_statements_account').on(t.companyId, t.accountId, t.to),
    check('bank_statements_format', sql`${t.format} in ('camt.053', 'camt.054', 'pain.002', 'csv')`),
  ],
)

/** A movement of an account: an entry of a statement, or one of a batch that it opens. */
export const bankLines = pgTable(
  'bank_lines',
  {
    ...ownerColumns(),
    accountId: uuid('account_id').notNull(),
    statementId: uuid('statement_id').notNull(),
    /** By account, reference, day, amount and occurrence: what is read again is known. */
    identity: text('identity').notNull(),
    bookedOn: day('booked_on').notNull(),
    /** Cents: above zero what came in, below what went out. */
    amount: bigNumber('amount').notNull(),
    reference: text('reference').notNull().default(''),
    label: text('label').notNull().default(''),
    party: text('party').notNull().default(''),
    partyPrint: text('party_print').notNull().default(''),
    endToEndId: text('end_to_end_id').notNull().default(''),
    rum: text('rum').notNull().default(''),
    batchId: text('batch_id').notNull().default(''),
    returnCode: text('return_code').notNull().default(''),
    /** What the bank kept of it, cents. */
    charge: bigNumber('charge').notNull().default(0),
    /** What a provider of online payments paid out: from which of its accounts; `charge` is then what it kept. */
    onlineAccountId: uuid('online_account_id'),
    /** open, posted, ignored */
    status: text('status').notNull().default('open'),
    /** 1 EndToEndId, 2 RUM, 3 reference, 4 IBAN, 5 name, 0 a person; and who. */
    step: integer('step'),
    settledBy: text('settled_by').notNull().default(''),
    reason: text('reason').notNull().default(''),
    /** How often it was settled: what is undone may be posted again under another source. */
    round: integer('round').notNull().default(0),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [bankAccounts.companyId, bankAccounts.id] }),
    foreignKey({
      columns: [t.companyId, t.statementId],
      foreignColumns: [bankStatements.companyId, bankStatements.id],
    }),
    foreignKey({
      columns: [t.companyId, t.onlineAccountId],
      foreignColumns: [bankAccounts.companyId, bankAccounts.id],
    }),
    uniqueIndex('bank_lines_identity').on(t.companyId, t.accountId, t.identity),
    index('bank_lines_status').on(t.companyId, t.status, t.bookedOn),
    check('bank_lines_status', sql`${t.status} in ('open', 'posted', 'ignored')`),
    check('bank_lines_amount', sql`${t.amount} <> 0`),
  ],
)

/** Which debits a line of the bank settled or gave back, so that its undo finds them. */
export const bankLineDebits = pgTable(
  'bank_line_debits',
  {
    ...ownerColumns(),
    lineId: uuid('line_id').notNull(),
    debitId: uuid('debit_id').notNull(),
    /** collected or returned */
    effect: text('effect').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.lineId], foreignColumns: [bankLines.companyId, bankLines.id] }),
    foreignKey({ columns: [t.companyId, t.debitId], foreignColumns: [debits.companyId, debits.id] }),
    uniqueIndex('bank_line_debits_once').on(t.companyId, t.lineId, t.debitId),
    check('bank_line_debits_effect', sql`${t.effect} in ('collected', 'returned')`),
  ],
)

/** Which column of a bank's table says what: learnt once per account. */
export const bankColumns = pgTable(
  'bank_columns',
  {
    companyId: integer('company_id').notNull(),
    accountId: uuid('account_id').notNull(),
    columns: jsonb('columns').notNull(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.accountId] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [bankAccounts.companyId, bankAccounts.id] }),
  ],
)

import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day, instant, version } from './columns.ts'
import { files } from './files.ts'
import { invoices } from './invoices.ts'
import { mandates } from './mandates.ts'
import { ownerColumns } from './owned.ts'
import { bankAccounts, payments } from './payments.ts'

/** What is debited for one account on one day: announced, filed, sent, then told of by the bank. */
export const debitRuns = pgTable(
  'debit_runs',
  {
    ...ownerColumns(),
    accountId: uuid('account_id').notNull(),
    collectionOn: day('collection_on').notNull(),
    /** The last day on which its file may reach the bank. */
    submitBy: day('submit_by').notNull(),
    /** What the bank knows the file by: one file, one name, for ever. */
    messageId: text('message_id').notNull(),
    /** announced, filed, sent, cancelled */
    status: text('status').notNull().default('announced'),
    fileId: uuid('file_id'),
    filedAt: instant('filed_at'),
    sentOn: day('sent_on'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [bankAccounts.companyId, bankAccounts.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    uniqueIndex('debit_runs_message').on(t.companyId, t.messageId),
    index('debit_runs_account').on(t.companyId, t.accountId, t.collectionOn),
    check('debit_runs_status', sql`${t.status} in ('announced', 'filed', 'sent', 'cancelled')`),
    check('debit_runs_file', sql`${t.status} not in ('filed', 'sent') or ${t.fileId} is not null`),
  ],
)

/** One debit of a mandate on a day. */
export const debits = pgTable(
  'debits',
  {
    ...ownerColumns(),
    runId: uuid('run_id').notNull(),
    mandateId: uuid('mandate_id').notNull(),
    /** Unique for ever: what the bank calls it when the money comes, or goes back. */
    endToEndId: text('end_to_end_id').notNull(),
    /** The batch of the file it stands in. */
    batchId: text('batch_id').notNull().default(''),
    sequence: text('sequence').notNull().default('RCUR'),
    amount: bigNumber('amount').notNull(),
    /** planned, sent, collected (the bank's line says so), returned, cancelled */
    status: text('status').notNull().default('planned'),
    noticedAt: instant('noticed_at'),
    collectedOn: day('collected_on'),
    paymentId: uuid('payment_id'),
    returnedOn: day('returned_on'),
    /** ISO 20022: AM04, MD06… */
    returnCode: text('return_code').notNull().default(''),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.runId], foreignColumns: [debitRuns.companyId, debitRuns.id] }),
    foreignKey({ columns: [t.companyId, t.mandateId], foreignColumns: [mandates.companyId, mandates.id] }),
    foreignKey({ columns: [t.companyId, t.paymentId], foreignColumns: [payments.companyId, payments.id] }),
    uniqueIndex('debits_end_to_end').on(t.companyId, t.endToEndId),
    uniqueIndex('debits_once').on(t.companyId, t.runId, t.mandateId),
    index('debits_mandate').on(t.companyId, t.mandateId),
    check('debits_amount', sql`${t.amount} > 0`),
    check('debits_sequence', sql`${t.sequence} in ('FRST', 'RCUR', 'OOFF', 'FNAL')`),
    check('debits_status', sql`${t.status} in ('planned', 'sent', 'collected', 'returned', 'cancelled')`),
  ],
)

/** Which documents a debit is to pay, and how much of each. */
export const debitInvoices = pgTable(
  'debit_invoices',
  {
    ...ownerColumns(),
    debitId: uuid('debit_id').notNull(),
    invoiceId: uuid('invoice_id').notNull(),
    amount: bigNumber('amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.debitId], foreignColumns: [debits.companyId, debits.id] }),
    foreignKey({ columns: [t.companyId, t.invoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    uniqueIndex('debit_invoices_once').on(t.companyId, t.debitId, t.invoiceId),
    index('debit_invoices_invoice').on(t.companyId, t.invoiceId),
    check('debit_invoices_amount', sql`${t.amount} > 0`),
  ],
)

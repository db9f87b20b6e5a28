import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bankLines } from './bank.ts'
import { bigNumber, createdAt, day, version } from './columns.ts'
import { files } from './files.ts'
import { ownerColumns } from './owned.ts'
import { sellers } from './parties.ts'
import { bankAccounts } from './payments.ts'

/** What is paid on to a producer of the money that was collected for it. */
export const payouts = pgTable(
  'payouts',
  {
    ...ownerColumns(),
    /** The producer. */
    sellerId: uuid('seller_id').notNull(),
    /** From which account: its owner had collected the money. */
    accountId: uuid('account_id').notNull(),
    amount: bigNumber('amount').notNull(),
    /** Fees of that owner that were set off with it. */
    setOff: bigNumber('set_off').notNull().default(0),
    /** planned, filed, paid, cancelled */
    status: text('status').notNull().default('planned'),
    /** Unique for ever: what the bank calls it. */
    endToEndId: text('end_to_end_id').notNull(),
    messageId: text('message_id').notNull().default(''),
    fileId: uuid('file_id'),
    paidOn: day('paid_on'),
    /** The bank's own word for the line. */
    bankReference: text('bank_reference').notNull().default(''),
    /** The line of the bank that told of it. */
    lineId: uuid('line_id'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [bankAccounts.companyId, bankAccounts.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    foreignKey({ columns: [t.companyId, t.lineId], foreignColumns: [bankLines.companyId, bankLines.id] }),
    index('payouts_line').on(t.companyId, t.lineId),
    uniqueIndex('payouts_end_to_end').on(t.companyId, t.endToEndId),
    index('payouts_seller').on(t.companyId, t.sellerId),
    check('payouts_status', sql`${t.status} in ('planned', 'filed', 'paid', 'cancelled')`),
    check('payouts_amount', sql`${t.amount} >= 0 and ${t.setOff} >= 0 and ${t.amount} + ${t.setOff} > 0`),
    check('payouts_paid', sql`(${t.status} = 'paid') = (${t.paidOn} is not null)`),
  ],
)

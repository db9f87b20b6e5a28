import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day } from './columns.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { sellers } from './parties.ts'
import { payments } from './payments.ts'

/** A document that was issued elsewhere before the operation was taken over: found and compared, never issued again. */
export const pastDocuments = pgTable(
  'past_documents',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    sellerId: uuid('seller_id').notNull(),
    buyerId: uuid('buyer_id').notNull(),
    number: text('number').notNull(),
    /** invoice or creditNote */
    kind: text('kind').notNull(),
    issuedOn: day('issued_on').notNull(),
    dueOn: day('due_on').notNull(),
    /** First day of the month supplied. */
    month: day('month').notNull(),
    wh: bigNumber('wh'),
    /** Cents as printed: those of a credit note are positive. */
    net: bigNumber('net').notNull(),
    tax: bigNumber('tax').notNull(),
    gross: bigNumber('gross').notNull(),
    /** What was left of it then, on the account by its opening. */
    open: bigNumber('open').notNull(),
    paymentId: uuid('payment_id'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.buyerId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.paymentId], foreignColumns: [payments.companyId, payments.id] }),
    uniqueIndex('past_documents_number').on(t.companyId, t.sellerId, t.number),
    index('past_documents_month').on(t.companyId, t.operationId, t.month),
    check('past_documents_kind', sql`${t.kind} in ('invoice', 'creditNote')`),
    check('past_documents_open', sql`${t.open} >= 0 and ${t.open} <= ${t.gross}`),
  ],
)

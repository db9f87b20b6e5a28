import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day, version } from './columns.ts'
import { invoices } from './invoices.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { sellers } from './parties.ts'

/** Where money comes in and goes out: the account of a seller, or of the organiser who collects for others. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    ...ownerColumns(),
    /** Who owns the money on it. */
    ownerId: uuid('owner_id').notNull(),
    name: text('name').notNull(),
    /** bank; or online: what a provider of online payments holds until it pays out. */
    kind: text('kind').notNull().default('bank'),
    /** Sealed; its end is what lists show, its print what statements are known by. */
    iban: text('iban'),
    ibanEnd: text('iban_end').notNull().default(''),
    ibanPrint: text('iban_print').notNull().default(''),
    bic: text('bic').notNull().default(''),
    /** Identifiant créancier SEPA of its owner: without one, nothing is debited to this account. */
    ics: text('ics').notNull().default(''),
    /** Which pain.008 its bank takes: 08 or 02. */
    painVersion: text('pain_version').notNull().default('08'),
    /** Whether its bank asks for FRST on the first debit of a mandate; RCUR throughout elsewhere. */
    firstMarked: boolean('first_marked').notNull().default(false),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.ownerId], foreignColumns: [sellers.companyId, sellers.id] }),
    uniqueIndex('bank_accounts_iban').on(t.companyId, t.ibanPrint).where(sql`${t.ibanPrint} <> ''`),
    check('bank_accounts_kind', sql`${t.kind} in ('bank', 'online')`),
    check('bank_accounts_pain', sql`${t.painVersion} in ('08', '02')`),
  ],
)

/**
 * What moved on a buyer's account beside its documents. Nothing of it changes: what was wrong is undone by another row.
 * A credit lowers what is owed (received, written off), a debit raises it (paid back, returned, undone).
 */
export const payments = pgTable(
  'payments',
  {
    ...ownerColumns(),
    /** To whom it was owed. */
    sellerId: uuid('seller_id').notNull(),
    /** A participant, or a producer who owes the organiser its fees. */
    buyerId: uuid('buyer_id'),
    clientSellerId: uuid('client_seller_id'),
    /** Credits: receipt, writeOff, openingCredit. Debits: refund, return, undo, charge, openingDebit. */
    kind: text('kind').notNull(),
    /** Cents, above zero: the kind says on which side. */
    amount: bigNumber('amount').notNull(),
    /** transfer, debit, card, onlineDebit, cheque, cash, setOff, none */
    method: text('method').notNull(),
    /** The day it counts from: that of the bank where there is one. */
    bookedOn: day('booked_on').notNull(),
    /** Where the money is; null where none moved. */
    accountId: uuid('account_id'),
    /** The payment that a return or an undo takes back. */
    reversesId: uuid('reverses_id'),
    /** What it was posted from, written once: `entry:<id>`, `debit:<id>`, `online:<id>`, `manual:<key>`. */
    source: text('source').notNull(),
    /** What the payer wrote, or why. */
    note: text('note').notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.clientSellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.buyerId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [bankAccounts.companyId, bankAccounts.id] }),
    foreignKey({ columns: [t.companyId, t.reversesId], foreignColumns: [t.companyId, t.id] }),
    index('payments_buyer').on(t.companyId, t.buyerId, t.bookedOn),
    index('payments_seller').on(t.companyId, t.sellerId, t.bookedOn),
    // Whoever posts the same thing again finds it posted; a source may pay several accounts.
    unique('payments_source').on(t.companyId, t.source, t.sellerId, t.buyerId, t.clientSellerId).nullsNotDistinct(),
    // A payment is taken back once.
    uniqueIndex('payments_reverses').on(t.companyId, t.reversesId).where(sql`${t.reversesId} is not null`),
    check('payments_amount', sql`${t.amount} > 0`),
    check(
      'payments_kind',
      sql`${t.kind} in ('receipt', 'writeOff', 'openingCredit', 'refund', 'return', 'undo', 'charge', 'openingDebit')`,
    ),
    check('payments_whose', sql`num_nonnulls(${t.buyerId}, ${t.clientSellerId}) = 1`),
    check('payments_back', sql`(${t.kind} in ('return', 'undo')) = (${t.reversesId} is not null)`),
  ],
)

/**
 * What of a credit closed what of a debit, on the account of one seller and buyer: a document or a payment on either side.
 * Rows are added, never changed: one that is undone is followed by its opposite.
 */
export const matches = pgTable(
  'matches',
  {
    ...ownerColumns(),
    /** An invoice or a complement, or a payment that was paid back or returned. */
    debitInvoiceId: uuid('debit_invoice_id'),
    debitPaymentId: uuid('debit_payment_id'),
    /** A credit note, or a payment that was received. */
    creditInvoiceId: uuid('credit_invoice_id'),
    creditPaymentId: uuid('credit_payment_id'),
    /** Cents; below zero where it undoes. */
    amount: bigNumber('amount').notNull(),
    matchedOn: day('matched_on').notNull(),
    undoesId: uuid('undoes_id'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.debitInvoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    foreignKey({ columns: [t.companyId, t.debitPaymentId], foreignColumns: [payments.companyId, payments.id] }),
    foreignKey({ columns: [t.companyId, t.creditInvoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    foreignKey({ columns: [t.companyId, t.creditPaymentId], foreignColumns: [payments.companyId, payments.id] }),
    foreignKey({ columns: [t.companyId, t.undoesId], foreignColumns: [t.companyId, t.id] }),
    index('matches_debit_invoice').on(t.companyId, t.debitInvoiceId),
    index('matches_credit_invoice').on(t.companyId, t.creditInvoiceId),
    index('matches_debit_payment').on(t.companyId, t.debitPaymentId),
    index('matches_credit_payment').on(t.companyId, t.creditPaymentId),
    uniqueIndex('matches_undoes').on(t.companyId, t.undoesId).where(sql`${t.undoesId} is not null`),
    check('matches_debit', sql`num_nonnulls(${t.debitInvoiceId}, ${t.debitPaymentId}) = 1`),
    check('matches_credit', sql`num_nonnulls(${t.creditInvoiceId}, ${t.creditPaymentId}) = 1`),
    check('matches_amount', sql`${t.amount} <> 0 and (${t.amount} < 0) = (${t.undoesId} is not null)`),
  ],
)

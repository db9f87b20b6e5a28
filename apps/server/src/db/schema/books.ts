import type { ChartOfAccounts, Journal, JournalName } from '@voisol/money/accounts/chart-of-accounts'
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
import { bigNumber, createdAt, day, instant, version } from './columns.ts'
import { files } from './files.ts'
import { invoices } from './invoices.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { sellers } from './parties.ts'

/** How an entity keeps its books; one without a row keeps them as the product proposes. */
export const bookSettings = pgTable(
  'book_settings',
  {
    companyId: integer('company_id').notNull(),
    sellerId: uuid('seller_id').notNull(),
    /** What differs from the accounts and journals that are proposed. */
    chart: jsonb('chart').$type<Partial<ChartOfAccounts>>().notNull(),
    journals: jsonb('journals').$type<Partial<Record<JournalName, Journal>>>().notNull(),
    /** The month in which its accounting year begins, 1 to 12. */
    yearStart: integer('year_start').notNull().default(1),
    /** Cents below which what is given up is a difference of settlement. */
    smallWriteOff: integer('small_write_off').notNull().default(500),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.sellerId] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    check('book_settings_year', sql`${t.yearStart} between 1 and 12`),
  ],
)

/** A month that takes nothing more. Each holds the fingerprint of its entries and of the lock before it. */
export const bookLocks = pgTable(
  'book_locks',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    /** Its first day. */
    month: day('month').notNull(),
    entries: integer('entries').notNull(),
    hash: text('hash').notNull(),
    previousHash: text('previous_hash').notNull(),
    lockedAt: instant('locked_at').notNull(),
    lockedBy: text('locked_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    uniqueIndex('book_locks_month').on(t.companyId, t.sellerId, t.month),
  ],
)

/** An entry of a locked month, with its number. Those of open months are made of their facts whenever they are read. */
export const bookEntries = pgTable(
  'book_entries',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    /** What it was made from, once: `invoice:<id>`, `payment:<id>`, … */
    source: text('source').notNull(),
    /** opening, sales, bank, misc; and how it was called then. */
    journal: text('journal').notNull(),
    journalCode: text('journal_code').notNull(),
    journalLabel: text('journal_label').notNull(),
    /** First day of the accounting year in which its number counts. */
    yearFrom: day('year_from').notNull(),
    number: integer('number').notNull(),
    day: day('day').notNull(),
    pieceRef: text('piece_ref').notNull(),
    pieceDay: day('piece_day').notNull(),
    label: text('label').notNull(),
    validatedOn: day('validated_on').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    uniqueIndex('book_entries_source').on(t.companyId, t.sellerId, t.source),
    uniqueIndex('book_entries_number').on(t.companyId, t.sellerId, t.yearFrom, t.journal, t.number),
    index('book_entries_day').on(t.companyId, t.sellerId, t.day),
    check('book_entries_journal', sql`${t.journal} in ('opening', 'sales', 'bank', 'misc')`),
  ],
)

export const bookLines = pgTable(
  'book_lines',
  {
    companyId: integer('company_id').notNull(),
    entryId: uuid('entry_id').notNull(),
    position: integer('position').notNull(),
    account: text('account').notNull(),
    accountLabel: text('account_label').notNull(),
    aux: text('aux').notNull(),
    auxLabel: text('aux_label').notNull(),
    debit: bigNumber('debit').notNull(),
    credit: bigNumber('credit').notNull(),
    /** What it opens or closes: a document or a payment. */
    item: text('item').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.entryId, t.position] }),
    foreignKey({ columns: [t.companyId, t.entryId], foreignColumns: [bookEntries.companyId, bookEntries.id] }),
    check('book_lines_side', sql`${t.debit} >= 0 and ${t.credit} >= 0 and (${t.debit} = 0) <> (${t.credit} = 0)`),
  ],
)

/** A claim that may not be paid, or one that may be again: rows are added, never changed. */
export const bookDoubts = pgTable(
  'book_doubts',
  {
    ...ownerColumns(),
    invoiceId: uuid('invoice_id').notNull(),
    cents: bigNumber('cents').notNull(),
    /** What of its part without tax is thought lost. */
    lost: bigNumber('lost').notNull(),
    bookedOn: day('booked_on').notNull(),
    reason: text('reason').notNull(),
    /** The doubt that this one ends. */
    liftsId: uuid('lifts_id'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.invoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    foreignKey({ columns: [t.companyId, t.liftsId], foreignColumns: [t.companyId, t.id] }),
    uniqueIndex('book_doubts_lifts').on(t.companyId, t.liftsId).where(sql`${t.liftsId} is not null`),
    check('book_doubts_cents', sql`${t.cents} > 0 and ${t.lost} between 0 and ${t.cents}`),
  ],
)

/** What was asked and answered about an entry or a document, in the order in which it was said. */
export const bookNotes = pgTable(
  'book_notes',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    /** The entry by what it was made from, so that it is the same before and after the lock. */
    source: text('source').notNull(),
    text: text('text').notNull(),
    /** question, answer, settled */
    kind: text('kind').notNull(),
    authorId: uuid('author_id'),
    author: text('author').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    index('book_notes_source').on(t.companyId, t.sellerId, t.source, t.createdAt),
    check('book_notes_kind', sql`${t.kind} in ('question', 'answer', 'settled')`),
  ],
)

/** How a company's own accounting program wants its file. */
export const bookProfiles = pgTable(
  'book_profiles',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    /** `ExportProfile` of the contract. */
    profile: jsonb('profile').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), uniqueIndex('book_profiles_name').on(t.companyId, t.name)],
)

/** A declaration or a statement as it was made: made again it is another version. */
export const declarations = pgTable(
  'declarations',
  {
    ...ownerColumns(),
    /** vat, accise, eReporting, fec, participantYear, producerYear */
    kind: text('kind').notNull(),
    sellerId: uuid('seller_id'),
    participantId: uuid('participant_id'),
    from: day('from_day').notNull(),
    to: day('to_day').notNull(),
    number: integer('number').notNull(),
    fileId: uuid('file_id').notNull(),
    sha256: text('sha256').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    index('declarations_what').on(t.companyId, t.kind, t.sellerId, t.participantId, t.from),
    check(
      'declarations_kind',
      sql`${t.kind} in ('vat', 'accise', 'eReporting', 'fec', 'participantYear', 'producerYear')`,
    ),
  ],
)

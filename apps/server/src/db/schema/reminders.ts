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
import { invoices } from './invoices.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { sellers } from './parties.ts'

/** A reminder as it was written to a buyer: at most one a day for an account. What it said stays. */
export const reminders = pgTable(
  'reminders',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    buyerId: uuid('buyer_id').notNull(),
    /** 1 rappel, 2 relance, 3 mise en demeure, 4 dossier. */
    level: integer('level').notNull(),
    sentOn: day('sent_on').notNull(),
    /** Empty where it is a letter alone. */
    email: text('email').notNull().default(''),
    open: bigNumber('open').notNull(),
    /** `ReminderSnapshot` of the contract: what is printed. */
    snapshot: jsonb('snapshot').notNull(),
    mailedAt: instant('mailed_at'),
    failure: text('failure').notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.buyerId], foreignColumns: [participants.companyId, participants.id] }),
    uniqueIndex('reminders_day').on(t.companyId, t.sellerId, t.buyerId, t.sentOn),
    index('reminders_sent').on(t.companyId, t.sentOn),
    check('reminders_level', sql`${t.level} between 1 and 4`),
  ],
)

/** Which documents it spoke of, each at its own level. */
export const reminderItems = pgTable(
  'reminder_items',
  {
    ...ownerColumns(),
    reminderId: uuid('reminder_id').notNull(),
    invoiceId: uuid('invoice_id').notNull(),
    level: integer('level').notNull(),
    open: bigNumber('open').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.reminderId], foreignColumns: [reminders.companyId, reminders.id] }),
    foreignKey({ columns: [t.companyId, t.invoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    uniqueIndex('reminder_items_once').on(t.companyId, t.reminderId, t.invoiceId),
    uniqueIndex('reminder_items_level').on(t.companyId, t.invoiceId, t.level),
  ],
)

/** Why an account is not reminded for a while: a dispute, a promise, a schedule of payments. */
export const reminderHolds = pgTable(
  'reminder_holds',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    buyerId: uuid('buyer_id').notNull(),
    /** The document in dispute; null for all of the account. */
    invoiceId: uuid('invoice_id'),
    kind: text('kind').notNull(),
    reason: text('reason').notNull().default(''),
    startsOn: day('starts_on').notNull(),
    /** The day of a promise. */
    until: day('until'),
    /** Of a schedule: `{ on, amount }`, in order. */
    parts: jsonb('parts').notNull().default([]),
    closedOn: day('closed_on'),
    closedBy: text('closed_by').notNull().default(''),
    resolution: text('resolution').notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.buyerId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.invoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    index('reminder_holds_account').on(t.companyId, t.sellerId, t.buyerId),
    check('reminder_holds_kind', sql`${t.kind} in ('dispute', 'promise', 'schedule')`),
    check('reminder_holds_until', sql`(${t.kind} = 'promise') = (${t.until} is not null)`),
  ],
)

import { z } from 'zod'
import { Cents } from './money.ts'
import { Day, Id, Instant } from './primitives.ts'

export const JournalName = z.enum(['opening', 'sales', 'bank', 'misc'])
export type JournalName = z.infer<typeof JournalName>
export const BookMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Un mois est attendu, par exemple 2026-05.')
/** The year in which the accounting year ends. */
export const BookYear = z.coerce.number().int().min(2015).max(2100)

/** Who keeps books: a seller, or the organiser for its own fees. */
export const BookEntity = z.object({
  id: Id,
  name: z.string(),
  siren: z.string(),
  /** The last locked month; null if none. */
  lockedThrough: Day.nullable(),
  /** The first month with an entry; null if none. */
  firstMonth: Day.nullable(),
  yearStart: z.int(),
  questions: z.int(),
})
export type BookEntity = z.infer<typeof BookEntity>

const BookLine = z.object({
  account: z.string(),
  accountLabel: z.string(),
  aux: z.string(),
  auxLabel: z.string(),
  debit: Cents,
  credit: Cents,
  /** Empty where the row is not lettered. */
  letter: z.string(),
})
export const BookEntryView = z.object({
  /** The fact it was made from: the same id before and after its month is locked. */
  id: z.string(),
  journal: JournalName,
  journalCode: z.string(),
  /** Null until its month is locked. */
  number: z.int().nullable(),
  day: Day,
  pieceRef: z.string(),
  pieceDay: Day,
  label: z.string(),
  lines: z.array(BookLine),
  /** The document behind it; null where there is none. */
  invoiceId: Id.nullable(),
  notes: z.int(),
  asked: z.boolean(),
})
export type BookEntryView = z.infer<typeof BookEntryView>

export const BookMonthView = z.object({
  month: Day,
  entries: z.int(),
  debit: Cents,
  locked: z.object({ at: Instant, by: z.string(), hash: z.string() }).nullable(),
  /** Why it cannot be locked, in French; empty where it can. */
  waits: z.string(),
  /** Warnings to read before locking. */
  warnings: z.array(z.string()),
})
export type BookMonthView = z.infer<typeof BookMonthView>

export const BalanceRow = z.object({
  account: z.string(),
  label: z.string(),
  debit: Cents,
  credit: Cents,
  balance: Cents,
})
export type BalanceRow = z.infer<typeof BalanceRow>

/** Two figures that must be equal, and the lines of each. */
export const ControlTotal = z.object({
  name: z.enum(['vat', 'statements', 'bank', 'clients']),
  label: z.string(),
  left: z.object({ label: z.string(), cents: Cents }),
  right: z.object({ label: z.string(), cents: Cents }),
  difference: Cents,
  /** Why they cannot be compared yet, in French. */
  note: z.string(),
  rows: z.array(z.object({ label: z.string(), left: Cents, right: Cents, difference: Cents })),
})
export type ControlTotal = z.infer<typeof ControlTotal>

export const BookNote = z.object({
  id: Id,
  kind: z.enum(['question', 'answer', 'settled']),
  text: z.string(),
  author: z.string(),
  at: Instant,
})
export const BookQuestion = BookNote.extend({ sellerId: Id, seller: z.string(), source: z.string(), label: z.string() })
export type BookQuestion = z.infer<typeof BookQuestion>

export const DoubtfulDebt = z.object({
  id: Id,
  invoiceId: Id,
  number: z.string(),
  customer: z.string(),
  cents: Cents,
  lost: Cents,
  bookedOn: Day,
  reason: z.string(),
  by: z.string(),
  lifted: Day.nullable(),
})
export type DoubtfulDebt = z.infer<typeof DoubtfulDebt>

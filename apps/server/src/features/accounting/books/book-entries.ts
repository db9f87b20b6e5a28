import type { BookEntryView } from '@voisol/contract/book-views'
import type { EntryQuery } from '@voisol/contract/books'
import { formatAmount } from '@voisol/documents/number-and-date-formats'
import { foldText } from '@voisol/file-formats/french'
import { type BookEntry, getFiscalYear } from '@voisol/money/accounts/book-entries'
import { getAccountLabel, type JournalName } from '@voisol/money/accounts/chart-of-accounts'
import type { Lettering } from '@voisol/money/accounts/lettering'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { countNotesBySource } from './accountant-questions.ts'
import { type AccountingPeriod, getBookLineKey, isInPeriod, loadYearLetters } from './accounting-year.ts'
import { type AccountingBook, getNextMonthStart, loadBook } from './book.ts'
import type { Entity } from './book-entity.ts'

type StoredLine = {
  account: string
  accountLabel: string
  aux: string
  auxLabel: string
  debit: number
  credit: number
  item: string
}
export type StoredEntry = {
  id: string
  source: string
  journal: JournalName
  journalCode: string
  journalLabel: string
  number: number
  day: string
  pieceRef: string
  pieceDay: string
  label: string
  validatedOn: string
  lines: StoredLine[]
}
type DateRange = { from: string; to: string }
const PAGE_SIZE = 4_000

const linesJsonSql = sql.raw(`(select json_agg(json_build_object('account', l.account, 'accountLabel', l.account_label,
    'aux', l.aux, 'auxLabel', l.aux_label, 'debit', l.debit, 'credit', l.credit, 'item', l.item) order by l.position)
   from book_lines l where l.company_id = e.company_id and l.entry_id = e.id)`)

/**
 * Streams the entries of locked months by journal and number, in batches, so that a year is never in memory at once.
 */
export async function* streamLockedEntries(
  db: Db,
  { companyId, id }: Entity,
  { from, to }: DateRange,
): AsyncGenerator<StoredEntry[]> {
  for (const journal of ['opening', 'sales', 'bank', 'misc'] as const)
    for (let after = { year: '0001-01-01', number: 0 }; ; ) {
      const { rows } = await db.execute<StoredEntry & { year: string }>(sql`
        select e.id, e.source, e.journal, e.journal_code as "journalCode", e.journal_label as "journalLabel", e.number,
               e.year_from::text as year, e.day::text as day, e.piece_ref as "pieceRef", e.piece_day::text as "pieceDay",
               e.label, e.validated_on::text as "validatedOn", ${linesJsonSql} as lines
          from book_entries e
         where e.company_id = ${companyId} and e.seller_id = ${id} and e.journal = ${journal}
           and e.day >= ${from} and e.day < ${to} and (e.year_from, e.number) > (${after.year}::date, ${after.number})
         order by e.year_from, e.number limit ${PAGE_SIZE}`)
      if (rows.length > 0) yield rows
      const last = rows.at(-1)
      if (!last || rows.length < PAGE_SIZE) break
      after = { year: last.year, number: last.number }
    }
}

async function loadLockedEntries(db: Db, entity: Entity, range: DateRange): Promise<StoredEntry[]> {
  const found: StoredEntry[] = []
  for await (const page of streamLockedEntries(db, entity, range)) found.push(...page)
  return found
}

/** An entry as screens, exports and files show it, locked or not. */
export type BookEntryDetail = Omit<BookEntryView, 'notes' | 'asked'> & {
  journalLabel: string
  validatedOn: string | null
}

const parseInvoiceId = (source: string) => /^(?:invoice|accrued|accrued-back):(.+)$/.exec(source)?.[1] ?? null
const getLetter = (letters: ReadonlyMap<string, Lettering>, source: string, at: number) =>
  letters.get(getBookLineKey(source, at))?.code ?? ''

const toStoredEntryDetail = (entry: StoredEntry, letters: ReadonlyMap<string, Lettering>): BookEntryDetail => ({
  id: entry.source,
  journal: entry.journal,
  journalCode: entry.journalCode,
  journalLabel: entry.journalLabel,
  number: entry.number,
  day: entry.day,
  pieceRef: entry.pieceRef,
  pieceDay: entry.pieceDay,
  label: entry.label,
  validatedOn: entry.validatedOn,
  lines: entry.lines.map(({ item: _, ...line }, at) => ({ ...line, letter: getLetter(letters, entry.source, at) })),
  invoiceId: parseInvoiceId(entry.source),
})

const toDraftEntryDetail = (
  entry: BookEntry,
  { settings }: AccountingBook,
  letters: ReadonlyMap<string, Lettering>,
): BookEntryDetail => ({
  id: entry.source,
  journal: entry.journal,
  journalCode: settings.journals[entry.journal].code,
  journalLabel: settings.journals[entry.journal].label,
  number: null,
  day: entry.day,
  pieceRef: entry.piece.ref,
  pieceDay: entry.piece.day,
  label: entry.label,
  validatedOn: null,
  lines: entry.rows.map(({ item: _, ...row }, at) => ({
    ...row,
    accountLabel: getAccountLabel(row.account, settings.chart),
    letter: getLetter(letters, entry.source, at),
  })),
  invoiceId: parseInvoiceId(entry.source),
})

/** All entries of a period, day by day, locked ones first. */
export async function loadEntries(db: Db, book: AccountingBook, period: AccountingPeriod): Promise<BookEntryDetail[]> {
  const year = getFiscalYear(period.from, book.settings.yearStart)
  const whole = {
    from: year.from < period.from ? year.from : period.from,
    to: year.to > period.to ? year.to : period.to,
  }
  const letters = await loadYearLetters(db, book.entity, whole, book)
  const stored = (await loadLockedEntries(db, book.entity, period)).map((entry) => toStoredEntryDetail(entry, letters))
  const drafts = book.drafts
    .filter(({ day }) => isInPeriod(period, day))
    .map((entry) => toDraftEntryDetail(entry, book, letters))
  return [...stored.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)), ...drafts]
}

const buildSearchText = ({ label, pieceRef, lines }: BookEntryDetail) =>
  foldText(
    [
      label,
      pieceRef,
      ...lines.flatMap((line) => [line.account, line.aux, line.auxLabel, formatAmount(line.debit || line.credit)]),
    ].join(' '),
  )

export async function listEntries(
  db: Db,
  entity: Entity,
  { month, journal, q, page, size }: z.output<typeof EntryQuery>,
) {
  const first = `${month}-01`
  const book = await loadBook(db, entity)
  const all = await loadEntries(db, book, { from: first, to: getNextMonthStart(first) })
  const searchText = foldText((q ?? '').replace(',', '.'))
  const found = all.filter(
    (entry) =>
      (!journal || entry.journal === journal) && (searchText === '' || buildSearchText(entry).includes(searchText)),
  )
  const notes = await countNotesBySource(db, entity)
  const items = found
    .slice((page - 1) * size, page * size)
    .map((entry) => ({ ...entry, ...(notes.get(entry.id) ?? { notes: 0, asked: false }) }))
  return { items, total: found.length }
}

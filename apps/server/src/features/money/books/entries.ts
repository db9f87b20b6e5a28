import type { BookEntryView } from '@voisol/contract/book-views'
import type { EntryQuery } from '@voisol/contract/books'
import type { BookEntry } from '@voisol/money/accounts/book'
import { getFiscalYear } from '@voisol/money/accounts/book-lock'
import { getAccountLabel } from '@voisol/money/accounts/chart'
import type { Lettering } from '@voisol/money/accounts/lettering'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { foldText } from '../../../french.ts'
import { formatAmount } from '../../../papers/decimals.ts'
import { type AccountingBook, getNextMonthStart, loadBook } from './book.ts'
import type { Entity } from './entity.ts'
import { countNotesBySource } from './notes.ts'
import { loadLockedEntries, type StoredEntry } from './stored.ts'
import { type AccountingPeriod, getBookLineKey, isInPeriod, loadYearLetters } from './year.ts'

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

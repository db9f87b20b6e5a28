import type { BookEntryView } from '@voisol/contract/book-views'
import type { EntryQuery } from '@voisol/contract/books'
import type { BookEntry } from '@voisol/money/accounts/book'
import { exerciseOf } from '@voisol/money/accounts/book-lock'
import { accountLabel } from '@voisol/money/accounts/chart'
import type { Letter } from '@voisol/money/accounts/lettering'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { plain } from '../../../french.ts'
import { amount } from '../../../papers/decimals.ts'
import { type Book, monthAfter, readBook } from './book.ts'
import type { Entity } from './entity.ts'
import { noteCounts } from './notes.ts'
import { type StoredEntry, storedEntries } from './stored.ts'
import { lineKey, type Span, within, yearLetters } from './year.ts'

/** An entry as screens, exports and files show it, locked or not. */
export type ShownEntry = Omit<BookEntryView, 'notes' | 'asked'> & { journalLabel: string; validatedOn: string | null }

const invoiceOf = (source: string) => /^(?:invoice|accrued|accrued-back):(.+)$/.exec(source)?.[1] ?? null
const letterOf = (letters: ReadonlyMap<string, Letter>, source: string, at: number) =>
  letters.get(lineKey(source, at))?.code ?? ''

const ofStored = (entry: StoredEntry, letters: ReadonlyMap<string, Letter>): ShownEntry => ({
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
  lines: entry.lines.map(({ item: _, ...line }, at) => ({ ...line, letter: letterOf(letters, entry.source, at) })),
  invoiceId: invoiceOf(entry.source),
})

const ofDraft = (entry: BookEntry, { settings }: Book, letters: ReadonlyMap<string, Letter>): ShownEntry => ({
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
    accountLabel: accountLabel(row.account, settings.chart),
    letter: letterOf(letters, entry.source, at),
  })),
  invoiceId: invoiceOf(entry.source),
})

/** Everything that stands in the books over days, by day, what is locked first. */
export async function entriesOver(db: Db, book: Book, span: Span): Promise<ShownEntry[]> {
  const year = exerciseOf(span.from, book.settings.yearStart)
  const whole = { from: year.from < span.from ? year.from : span.from, to: year.to > span.to ? year.to : span.to }
  const letters = await yearLetters(db, book.entity, whole, book)
  const stored = (await storedEntries(db, book.entity, span)).map((entry) => ofStored(entry, letters))
  const drafts = book.drafts.filter(({ day }) => within(span, day)).map((entry) => ofDraft(entry, book, letters))
  return [...stored.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)), ...drafts]
}

const wordsOf = ({ label, pieceRef, lines }: ShownEntry) =>
  plain(
    [
      label,
      pieceRef,
      ...lines.flatMap((line) => [line.account, line.aux, line.auxLabel, amount(line.debit || line.credit)]),
    ].join(' '),
  )

export async function listEntries(
  db: Db,
  entity: Entity,
  { month, journal, q, page, size }: z.output<typeof EntryQuery>,
) {
  const first = `${month}-01`
  const book = await readBook(db, entity)
  const all = await entriesOver(db, book, { from: first, to: monthAfter(first) })
  const asked = plain((q ?? '').replace(',', '.'))
  const found = all.filter(
    (entry) => (!journal || entry.journal === journal) && (asked === '' || wordsOf(entry).includes(asked)),
  )
  const notes = await noteCounts(db, entity)
  const items = found
    .slice((page - 1) * size, page * size)
    .map((entry) => ({ ...entry, ...(notes.get(entry.id) ?? { notes: 0, asked: false }) }))
  return { items, total: found.length }
}

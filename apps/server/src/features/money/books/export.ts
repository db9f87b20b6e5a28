import type { ExportField, ExportProfile } from '@voisol/contract/book-settings'
import type { Db } from '../../../db/client.ts'
import { encodeLatin9 } from '../../../files/latin9.ts'
import { formatFrenchDay } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/file-name.ts'
import { formatAmount } from '../../../papers/decimals.ts'
import { getNextMonthStart, loadBook } from './book.ts'
import type { Entity } from './entity.ts'
import { type BookEntryDetail, loadEntries } from './entries.ts'
import { requireProfile } from './profiles.ts'

type Line = BookEntryDetail['lines'][number]
const DATE_FORMATTERS: Record<ExportProfile['dates'], (day: string) => string> = {
  'dd/mm/yyyy': formatFrenchDay,
  ddmmyy: (day) => `${day.slice(8)}${day.slice(5, 7)}${day.slice(2, 4)}`,
  yyyymmdd: (day) => day.replaceAll('-', ''),
  'yyyy-mm-dd': (day) => day,
}

const FIELD_TEXTS: Record<
  Exclude<ExportField, 'day' | 'pieceDay' | 'debit' | 'credit' | 'amount'>,
  (entry: BookEntryDetail, line: Line) => string
> = {
  journalCode: ({ journalCode }) => journalCode,
  journalLabel: ({ journalLabel }) => journalLabel,
  number: ({ number }) => (number === null ? '' : String(number)),
  account: (_, { account }) => account,
  accountLabel: (_, { accountLabel }) => accountLabel,
  aux: (_, { aux }) => aux,
  auxLabel: (_, { auxLabel }) => auxLabel,
  accountOrAux: (_, { account, aux }) => aux || account,
  pieceRef: ({ pieceRef }) => pieceRef,
  label: ({ label }) => label,
  side: (_, { debit }) => (debit > 0 ? 'D' : 'C'),
  letter: (_, { letter }) => letter,
  currency: () => 'EUR',
  blank: () => '',
}

function formatCell(field: ExportField, entry: BookEntryDetail, line: Line, { dates, decimal }: ExportProfile): string {
  const money = (cents: number) => formatAmount(cents).replace('.', decimal)
  if (field === 'day' || field === 'pieceDay') return DATE_FORMATTERS[dates](entry[field])
  if (field === 'debit' || field === 'credit') return money(line[field])
  if (field === 'amount') return money(line.debit || line.credit)
  return FIELD_TEXTS[field](entry, line)
}

/** Prefixes cells that a spreadsheet would run as a formula, and quotes cells that hold the separator. */
function escapeCell(text: string, { separator }: ExportProfile): string {
  const plain = /^[=+\-@]/.test(text) ? `'${text}` : text
  const safe = plain.replace(/[\r\n\t]+/g, ' ')
  return safe.includes(separator) || safe.includes('"') ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Entries as a table with the columns, date format and decimals of a profile. */
export function buildExportText(entries: readonly BookEntryDetail[], profile: ExportProfile): string {
  const { columns, separator, header } = profile
  const line = (cells: string[]) => `${cells.map((cell) => escapeCell(cell, profile)).join(separator)}\r\n`
  const rows = entries.flatMap((entry) =>
    entry.lines.map((row) => line(columns.map(({ field }) => formatCell(field, entry, row, profile)))),
  )
  return `${header ? line(columns.map((column) => column.header)) : ''}${rows.join('')}`
}

type ExportFileInput = { from: string; to: string; profile: string }
export async function buildExportFile(db: Db, entity: Entity, { from, to, profile: id }: ExportFileInput) {
  if (to < from)
    throw fieldError('to', 'Le dernier mois est avant le premier\u00a0: choisissez une période dans l’ordre.')
  const { profile, name } = await requireProfile(db, entity.companyId, id)
  const book = await loadBook(db, entity)
  const entries = await loadEntries(db, book, { from: `${from}-01`, to: getNextMonthStart(`${to}-01`) })
  const text = buildExportText(entries, profile)
  const { encoding, extension } = profile
  const mark = encoding === 'utf-8' && extension === 'csv' ? '\uFEFF' : ''
  return {
    name: buildDatedFileName(`écritures ${entity.name} ${name} ${from} ${to}`, extension),
    type: `${extension === 'csv' ? 'text/csv' : 'text/plain'}; charset=${encoding}`,
    content: encoding === 'utf-8' ? Buffer.from(`${mark}${text}`) : encodeLatin9(text),
  }
}

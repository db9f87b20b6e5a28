import type { ExportField, ExportProfile } from '@voisol/contract/book-settings'
import type { Db } from '../../../db/client.ts'
import { latin9 } from '../../../files/latin9.ts'
import { frenchDay } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'
import { datedName } from '../../../http/file-name.ts'
import { amount } from '../../../papers/decimals.ts'
import { monthAfter, readBook } from './book.ts'
import type { Entity } from './entity.ts'
import { entriesOver, type ShownEntry } from './entries.ts'
import { findProfile } from './profiles.ts'

type Line = ShownEntry['lines'][number]
const DATES: Record<ExportProfile['dates'], (day: string) => string> = {
  'dd/mm/yyyy': frenchDay,
  ddmmyy: (day) => `${day.slice(8)}${day.slice(5, 7)}${day.slice(2, 4)}`,
  yyyymmdd: (day) => day.replaceAll('-', ''),
  'yyyy-mm-dd': (day) => day,
}

const TEXTS: Record<
  Exclude<ExportField, 'day' | 'pieceDay' | 'debit' | 'credit' | 'amount'>,
  (entry: ShownEntry, line: Line) => string
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

function cellOf(field: ExportField, entry: ShownEntry, line: Line, { dates, decimal }: ExportProfile): string {
  const money = (cents: number) => amount(cents).replace('.', decimal)
  if (field === 'day' || field === 'pieceDay') return DATES[dates](entry[field])
  if (field === 'debit' || field === 'credit') return money(line[field])
  if (field === 'amount') return money(line.debit || line.credit)
  return TEXTS[field](entry, line)
}

/** A cell that begins like a formula would be run by a spreadsheet; one that holds the separator is quoted. */
function written(text: string, { separator }: ExportProfile): string {
  const plain = /^[=+\-@]/.test(text) ? `'${text}` : text
  const safe = plain.replace(/[\r\n\t]+/g, ' ')
  return safe.includes(separator) || safe.includes('"') ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Entries as a table in the columns, dates and decimals of a profile. */
export function exportText(entries: readonly ShownEntry[], profile: ExportProfile): string {
  const { columns, separator, header } = profile
  const line = (cells: string[]) => `${cells.map((cell) => written(cell, profile)).join(separator)}\r\n`
  const rows = entries.flatMap((entry) =>
    entry.lines.map((row) => line(columns.map(({ field }) => cellOf(field, entry, row, profile)))),
  )
  return `${header ? line(columns.map((column) => column.header)) : ''}${rows.join('')}`
}

type Asked = { from: string; to: string; profile: string }
export async function exportFile(db: Db, entity: Entity, { from, to, profile: id }: Asked) {
  if (to < from)
    throw fieldError('to', 'Le dernier mois est avant le premier\u00a0: choisissez une période dans l’ordre.')
  const { profile, name } = await findProfile(db, entity.companyId, id)
  const book = await readBook(db, entity)
  const entries = await entriesOver(db, book, { from: `${from}-01`, to: monthAfter(`${to}-01`) })
  const text = exportText(entries, profile)
  const { encoding, extension } = profile
  const mark = encoding === 'utf-8' && extension === 'csv' ? '\uFEFF' : ''
  return {
    name: datedName(`écritures ${entity.name} ${name} ${from} ${to}`, extension),
    type: `${extension === 'csv' ? 'text/csv' : 'text/plain'}; charset=${encoding}`,
    content: encoding === 'utf-8' ? Buffer.from(`${mark}${text}`) : latin9(text),
  }
}

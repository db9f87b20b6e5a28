import { frenchNumber, NBSP, quoted } from '../french.ts'
import { readCustomerBook } from './customer-xlsx.ts'
import { refuse } from './foreign.ts'
import { findHeader, isTable } from './header.ts'
import type { RawFile } from './raw.ts'
import type { Report } from './report.ts'
import { readText, type TextBytes } from './text.ts'
import { type Choices, FileRefused } from './types.ts'
import { type Book, openBook, readSheet, type SheetRow } from './workbook.ts'
import { openZip } from './zip.ts'

const TRIED_SHEETS = 10
/** As many as a spreadsheet can have. */
const MOST_ROWS = 1_048_576

/** A workbook: the customer space's own, or any sheet that would be a table of readings if it were saved as text. */
export function readBook(
  name: string,
  bytes: Uint8Array,
  readTable: (sheet: TextBytes) => RawFile,
  report: Report,
  choices: Choices,
): RawFile {
  const archive = openZip(bytes)
  if (!archive.has('xl/workbook.xml'))
    throw refuse(`Ce fichier est une archive ZIP${NBSP}: décompressez-la, puis déposez les fichiers qu’elle contient.`)
  const book = openBook(archive)
  const own = readCustomerBook(name, { archive, book }, report, choices)
  if (own) return own
  for (const { part } of book.sheets.slice(0, TRIED_SHEETS)) {
    const text = textOf(archive.read(part), book)
    if (text.bytes.length > 0 && isTable(findHeader(text))) return readTable(text)
  }
  const sheets = book.sheets.slice(0, 5).map((sheet) => quoted(sheet.name))
  throw refuse(
    `Ce classeur Excel n’a pas de feuille avec une colonne de dates et des colonnes de valeurs${NBSP}: ses feuilles sont ${sheets.join(', ')}.`,
  )
}

/** The sheet as tab-separated text: each row stands on the line that the spreadsheet gives it. */
function textOf(xml: string, { strings, dates, date1904 }: Book): TextBytes {
  const lines: string[] = []
  const rows: { at: number; row: SheetRow }[] = []
  let width = 0
  const written = (text: string, style: number) => (dates[style] ? dateText(text, date1904) : numberText(text))
  const onRow = (row: SheetRow, number: number) => {
    if (number > MOST_ROWS)
      throw new FileRefused(
        `Ce classeur a plus de ${frenchNumber(MOST_ROWS)} lignes${NBSP}: partagez-le par période ou par groupe de points.`,
      )
    if (row.size > 0) rows.push({ at: number - 1, row })
    for (const column of row.keys()) width = Math.max(width, column + 1)
  }
  readSheet(xml, strings, onRow, written)
  for (const { at, row } of rows) {
    while (lines.length < at) lines.push('')
    lines.push(lineOf(row, width))
  }
  return readText(new TextEncoder().encode(lines.join('\n')))
}

/** As many cells in every row: an empty one at its end is a hole, not a row cut short. */
const lineOf = (row: SheetRow, width: number): string =>
  Array.from({ length: width }, (_, at) => (row.get(at) ?? '').replace(/[\t\r\n]+/g, ' ')).join('\t')

/** Fourteen digits: beyond, a cell holds what adding in binary left behind. */
const numberText = (text: string) => {
  const value = Number(text)
  return text.length > 15 && Number.isFinite(value) ? String(Number(value.toPrecision(14))) : text
}

/** A number of days since 1900 or 1904; below one, a time of the day. */
function dateText(text: string, date1904: boolean): string {
  const days = Number(text)
  if (!Number.isFinite(days)) return text
  const date = new Date(Math.round((days - (days < 1 ? 0 : date1904 ? 24_107 : 25_569)) * 86_400) * 1000)
  if (Number.isNaN(date.getTime())) return text
  const iso = date.toISOString()
  return days < 1 ? iso.slice(11, 19) : iso.slice(0, 19).replace('T', ' ')
}

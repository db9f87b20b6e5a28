import { formatFrenchNumber, NBSP, quoteText } from '../french.ts'
import { parseCustomerWorkbook } from './customer-xlsx.ts'
import { createRefusal } from './foreign.ts'
import { findHeader, isReadingsTable } from './header.ts'
import type { RawFile } from './raw.ts'
import type { ParseReport } from './report.ts'
import { decodeTextFile, type TextBytes } from './text.ts'
import { type CurveFileChoices, FileRefusedError } from './types.ts'
import { type ExcelWorkbook, openWorkbook, type SheetRow, scanSheet } from './workbook.ts'
import { openZipArchive } from './zip.ts'

const MAX_TRIED_SHEETS = 10
/** As many as a spreadsheet can have. */
const MAX_SHEET_ROWS = 1_048_576

/** A workbook: the customer space's own, or any sheet that would be a table of readings if it were saved as text. */
export function parseWorkbook(
  name: string,
  bytes: Uint8Array,
  readTable: (sheet: TextBytes) => RawFile,
  report: ParseReport,
  choices: CurveFileChoices,
): RawFile {
  const archive = openZipArchive(bytes)
  if (!archive.has('xl/workbook.xml'))
    throw createRefusal(
      `Ce fichier est une archive ZIP${NBSP}: décompressez-la, puis déposez les fichiers qu’elle contient.`,
    )
  const book = openWorkbook(archive)
  const own = parseCustomerWorkbook(name, { archive, book }, report, choices)
  if (own) return own
  for (const { part } of book.sheets.slice(0, MAX_TRIED_SHEETS)) {
    const text = toTabText(archive.read(part), book)
    if (text.bytes.length > 0 && isReadingsTable(findHeader(text))) return readTable(text)
  }
  const sheets = book.sheets.slice(0, 5).map((sheet) => quoteText(sheet.name))
  throw createRefusal(
    `Ce classeur Excel n’a pas de feuille avec une colonne de dates et des colonnes de valeurs${NBSP}: ses feuilles sont ${sheets.join(', ')}.`,
  )
}

/** The sheet as tab-separated text: each row stands on the line that the spreadsheet gives it. */
function toTabText(xml: string, { strings, dates, date1904 }: ExcelWorkbook): TextBytes {
  const lines: string[] = []
  const rows: { at: number; row: SheetRow }[] = []
  let width = 0
  const written = (text: string, style: number) =>
    dates[style] ? formatDateCell(text, date1904) : formatNumberCell(text)
  const onRow = (row: SheetRow, number: number) => {
    if (number > MAX_SHEET_ROWS)
      throw new FileRefusedError(
        `Ce classeur a plus de ${formatFrenchNumber(MAX_SHEET_ROWS)} lignes${NBSP}: partagez-le par période ou par groupe de points.`,
      )
    if (row.size > 0) rows.push({ at: number - 1, row })
    for (const column of row.keys()) width = Math.max(width, column + 1)
  }
  scanSheet(xml, strings, onRow, written)
  for (const { at, row } of rows) {
    while (lines.length < at) lines.push('')
    lines.push(toTabLine(row, width))
  }
  return decodeTextFile(new TextEncoder().encode(lines.join('\n')))
}

/** As many cells in every row: an empty one at its end is a hole, not a row cut short. */
const toTabLine = (row: SheetRow, width: number): string =>
  Array.from({ length: width }, (_, at) => (row.get(at) ?? '').replace(/[\t\r\n]+/g, ' ')).join('\t')

/** Fourteen digits: beyond, a cell holds what adding in binary left behind. */
const formatNumberCell = (text: string) => {
  const value = Number(text)
  return text.length > 15 && Number.isFinite(value) ? String(Number(value.toPrecision(14))) : text
}

/** A number of days since 1900 or 1904; below one, a time of the day. */
function formatDateCell(text: string, date1904: boolean): string {
  const days = Number(text)
  if (!Number.isFinite(days)) return text
  const date = new Date(Math.round((days - (days < 1 ? 0 : date1904 ? 24_107 : 25_569)) * 86_400) * 1000)
  if (Number.isNaN(date.getTime())) return text
  const iso = date.toISOString()
  return days < 1 ? iso.slice(11, 19) : iso.slice(0, 19).replace('T', ' ')
}

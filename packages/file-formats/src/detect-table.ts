import { type CsvSource, detectCsvSeparator, type TextBytes } from './csv-text.ts'
import { isEdfHeader } from './edf.ts'
import { formatFrenchNumber, NBSP } from './french.ts'
import { isHdmHeader } from './hdm.ts'
import { isR63Header } from './r63.ts'
import { MAX_CURVE_FILE_COLUMNS } from './raw-curves.ts'
import { detectLayout, isFirstReadingRow, splitTitles } from './table-layout.ts'
import { createRefusal } from './unsupported-files.ts'

/** A header of as many points as are read, and then some. */
const MAX_HEADER = MAX_CURVE_FILE_COLUMNS * 40
/** Titles, addresses and notes that may stand above the names of the columns. */
const MAX_TITLE_LINES = 60

type HeaderLocation = Pick<CsvSource, 'from' | 'header' | 'headerLine' | 'separator'>

/** Where the names of the columns are: below empty lines, the `sep=;` of some spreadsheets, and titles. */
export function findHeader(text: TextBytes): HeaderLocation {
  let first: HeaderLocation | null = null
  let likely: HeaderLocation | null = null
  let line = 1
  for (let from = 0; from < text.bytes.length && line <= MAX_TITLE_LINES; line++) {
    const header = decodeHeaderAt(text, from)
    const next = getNextLine(text, from)
    const found = { from, header, headerLine: line, separator: detectCsvSeparator(header) }
    from = next
    if (header.trim() === '' || /^"?sep=/i.test(header)) continue
    first ??= found
    if (isHdmHeader(header) || isR63Header(header) || isEdfHeader(header)) return found
    if (!isReadingsTable(found)) continue
    likely ??= found
    if (isFirstReadingRow(getTitles(found), findRowBelow(text, next), found.separator)) return found
  }
  return likely ?? first ?? { from: 0, header: '', headerLine: 1, separator: detectCsvSeparator('') }
}

const getTitles = ({ header, separator }: HeaderLocation) => splitTitles(header, separator)
export const isReadingsTable = (found: Pick<HeaderLocation, 'header' | 'separator'>) =>
  detectLayout(splitTitles(found.header, found.separator)) !== null

function getNextLine({ bytes }: TextBytes, from: number): number {
  const end = bytes.indexOf(10, from)
  return end === -1 ? bytes.length : end + 1
}

/** The first line below that is not empty. */
function findRowBelow(text: TextBytes, from: number): string {
  for (let at = from, tries = 0; at < text.bytes.length && tries < 5; at = getNextLine(text, at), tries++) {
    const line = decodeHeaderAt(text, at)
    if (line.replace(/[;,\t"]/g, '').trim() !== '') return line
  }
  return ''
}

function decodeHeaderAt({ bytes, decode }: TextBytes, from: number): string {
  const newline = bytes.indexOf(10, from)
  const end = newline === -1 ? bytes.length : newline
  if (end - from > MAX_HEADER)
    throw createRefusal(
      `La première ligne de ce fichier est démesurée${NBSP}: au plus ${formatFrenchNumber(MAX_CURVE_FILE_COLUMNS)} colonnes sont lues.`,
    )
  return decode(from, end)
}

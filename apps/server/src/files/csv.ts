import { fieldError } from '../http/errors.ts'

export type SpreadsheetCell = string | number | boolean | null | undefined

/** A spreadsheet would run a text that begins like a formula; the apostrophe makes it a text. Numbers are not texts. */
const neutralizeFormula = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)
/** As French spreadsheets open it, or as RFC 4180 writes it. */
export type CsvFormat = { separator: ';' | ','; decimal: ',' | '.'; special: RegExp }
export const FRENCH_CSV: CsvFormat = { separator: ';', decimal: ',', special: /[;"\r\n]/ }
export const RFC4180_CSV: CsvFormat = { separator: ',', decimal: '.', special: /[,"\r\n]/ }
const quoteCsvText = (text: string, { special }: CsvFormat) =>
  special.test(text) ? `"${text.replaceAll('"', '""')}"` : text

export function formatCsvCell(cell: SpreadsheetCell, dialect = FRENCH_CSV): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return dialect.decimal === '.' ? String(cell) : String(cell).replace('.', ',')
  if (typeof cell === 'boolean') return cell ? 'oui' : 'non'
  return quoteCsvText(neutralizeFormula(cell), dialect)
}

/** Lines of a file that is written piece by piece. */
export const formatCsvLines = (rows: SpreadsheetCell[][]) =>
  rows.map((row) => `${row.map((cell) => formatCsvCell(cell)).join(';')}\r\n`).join('')
/** As French spreadsheets open it: semicolons, decimal commas, and a mark that says UTF-8. */
export const writeCsv = (header: string[], rows: SpreadsheetCell[][]) => `\uFEFF${formatCsvLines([header, ...rows])}`

/** Far above what a spreadsheet of people has; a line of a million columns is no mistake to be explained cell by cell. */
export const MAX_TABLE_COLUMNS = 500
export const createTooManyColumnsError = (line: number) =>
  fieldError(
    'file',
    `La ligne ${line.toLocaleString('fr-FR')} compte plus de ${MAX_TABLE_COLUMNS} colonnes\u00a0: vérifiez le séparateur, ou gardez les colonnes utiles.`,
  )

export type CsvLine = { line: number; cells: string[] }

const detectSeparator = (text: string) => {
  const header = text.slice(0, text.search(/\r|\n|$/))
  return header.includes(';') || !header.includes(',') ? ';' : ','
}

/** Reads a file with `;` or `,`, quoted cells and any line ends. Each line keeps its number in the file; empty ones are left out. */
export function readCsv(file: string): CsvLine[] {
  const text = file.replace(/^\uFEFF/, '')
  const token = new RegExp(`"((?:[^"]|"")*)"|([^${detectSeparator(text)}\\r\\n"]+)|(\\r\\n|\\r|\\n)|(.)`, 'gs')
  const lines: CsvLine[] = []
  let number = 1
  let current: CsvLine = { line: 1, cells: [''] }
  const add = (part: string) => {
    current.cells[current.cells.length - 1] += part
  }
  const close = () => {
    const cells = current.cells.map((cell) => cell.trim())
    if (cells.some(Boolean)) lines.push({ line: current.line, cells })
    current = { line: number, cells: [''] }
  }
  for (const [whole, inQuotes, plain, end] of text.matchAll(token)) {
    number += whole.match(/\r\n|\r|\n/g)?.length ?? 0
    if (end) close()
    else if (inQuotes !== undefined) add(inQuotes.replaceAll('""', '"'))
    else if (plain !== undefined) add(plain)
    else if (whole === '"') add('"')
    else if (current.cells.push('') > MAX_TABLE_COLUMNS) throw createTooManyColumnsError(current.line)
  }
  close()
  return lines
}

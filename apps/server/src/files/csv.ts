import { fieldError } from '../http/errors.ts'

export type SpreadsheetCell = string | number | boolean | null | undefined

/** A spreadsheet would run a text that begins like a formula; the apostrophe makes it a text. Numbers are not texts. */
const neutralizeFormula = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)
/** As French spreadsheets open it, or as RFC 4180 writes it. */
type CsvFormat = { separator: ';' | ','; decimal: ',' | '.'; special: RegExp }
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
const formatCsvLines = (rows: SpreadsheetCell[][]) =>
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

/** What ISO-8859-15 writes otherwise than ISO-8859-1. */
const LATIN9_CODES: Record<string, number> = {
  '€': 0xa4,
  Š: 0xa6,
  š: 0xa8,
  Ž: 0xb4,
  ž: 0xb8,
  Œ: 0xbc,
  œ: 0xbd,
  Ÿ: 0xbe,
}
/** What it cannot write and has a plain form. */
const PLAIN_FORMS: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '\u202f': '\u00a0',
}
const REPLACED_CODES = new Set([0xa4, 0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe])

/** A text in ISO-8859-15: a letter that it lacks loses its accents, and what is left is a question mark. */
export function encodeLatin9(text: string): Buffer {
  const bytes: number[] = []
  const put = (character: string, again: boolean): void => {
    const code = character.codePointAt(0) ?? 0x3f
    const own = LATIN9_CODES[character]
    if (own !== undefined) bytes.push(own)
    else if (code < 0x100 && !REPLACED_CODES.has(code)) bytes.push(code)
    else if (PLAIN_FORMS[character] !== undefined) for (const plain of PLAIN_FORMS[character]) put(plain, false)
    else if (again) put(character.normalize('NFD').charAt(0), false)
    else bytes.push(0x3f)
  }
  for (const character of text) put(character, true)
  return Buffer.from(bytes)
}

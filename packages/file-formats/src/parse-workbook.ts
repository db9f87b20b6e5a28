import { isKnownStep, parseDirection, parseTextReading, parseUnit } from './cell-values.ts'
import { decodeTextFile, type TextBytes } from './csv-text.ts'
import { type CurveFileChoices, FileRefusedError } from './curve-file-types.ts'
import { findHeader, isReadingsTable } from './detect-table.ts'
import { foldText, formatFrenchNumber, NBSP, quoteText } from './french.ts'
import { openZipArchive, type ZipArchive } from './open-zip.ts'
import {
  createRawCurve,
  createRawFile,
  findPrmInName,
  isPrm,
  MAX_CURVE_FILE_COLUMNS,
  MAX_CURVE_FILE_ROWS,
  type ParseReport,
  type RawCurve,
  type RawFile,
} from './raw-curves.ts'
import { getXmlAttribute, scanXml, unescapeXml } from './scan-xml.ts'
import { createStampClock } from './timestamps.ts'
import { createRefusal } from './unsupported-files.ts'

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
  const formatCellText = (text: string, style: number) =>
    dates[style] ? formatDateCell(text, date1904) : formatNumberCell(text)
  const onRow = (row: SheetRow, number: number) => {
    if (number > MAX_SHEET_ROWS)
      throw new FileRefusedError(
        `Ce classeur a plus de ${formatFrenchNumber(MAX_SHEET_ROWS)} lignes${NBSP}: partagez-le par période ou par groupe de points.`,
      )
    if (row.size > 0) rows.push({ at: number - 1, row })
    for (const column of row.keys()) width = Math.max(width, column + 1)
  }
  scanSheet(xml, strings, onRow, formatCellText)
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

const MAX_HEADER_ROWS = 60
type Columns = { start: number; end: number; value: number; unit: string }

/** The customer space's workbook: some rows about the point, then Début, Fin and Valeur (en kW); null where it is another. */
function parseCustomerWorkbook(
  name: string,
  { archive, book }: { archive: ZipArchive; book: ExcelWorkbook },
  report: ParseReport,
  choices: CurveFileChoices,
): RawFile | null {
  const hourly = book.sheets.filter((sheet) => foldText(sheet.name).includes('horaire'))
  for (const sheet of hourly.slice(0, MAX_TRIED_SHEETS)) {
    const file = createRawFile({ format: 'customer-xlsx', encoding: 'utf-8', stamp: null, zone: 'Europe/Paris' })
    const reader = createRowReader(file, book.date1904, report)
    scanSheet(archive.read(sheet.part), book.strings, reader.row)
    const found = reader.found()
    if (!found) continue
    file.stamp = found.columns.end >= 0 ? 'end' : 'start'
    const curve = found.curve
    curve.prm = choices.prm ?? (found.prm || findPrmInName(name))
    curve.direction = parseDirection(sheet.name) ?? parseDirection(name.replace(/^.*charge_/i, ''))
    if (!curve.prm)
      report.error(
        'bad-prm',
        1,
        '',
        () => 'Ni le classeur ni son nom ne donnent le PRM du point. Choisissez le point de cette courbe.',
      )
    return file
  }
  return null
}

function createRowReader(file: RawFile, date1904: boolean, report: ParseReport) {
  const clock = createStampClock(file)
  let columns: Columns | null = null
  let prm = ''
  let curve: RawCurve | null = null
  const head = (row: SheetRow, number: number) => {
    if (number > MAX_HEADER_ROWS) return
    columns = findColumns(row)
    if (columns) {
      curve = createRawCurve('', null, parseUnit(columns.unit) ?? 'kW')
      file.curves.push(curve)
    } else for (const cell of row.values()) if (isPrm(cell.trim())) prm = cell.trim()
  }
  const data = (row: SheetRow, line: number, at: Columns, into: RawCurve) => {
    const start = formatStampCell(row.get(at.start) ?? '', date1904)
    const end = formatStampCell(row.get(at.end) ?? '', date1904)
    const stamp = at.end >= 0 ? end : start
    if (!stamp) return
    if (++file.rows > MAX_CURVE_FILE_ROWS)
      throw new FileRefusedError(
        `Ce classeur a plus de ${formatFrenchNumber(MAX_CURVE_FILE_ROWS)} lignes\u00a0: partagez-le par période.`,
      )
    const step = at.end >= 0 ? (Date.parse(`${end}Z`) - Date.parse(`${start}Z`)) / 60_000 : 0
    parseTextReading(into, clock, report, {
      stamp: stamp,
      value: row.get(at.value) ?? '',
      line,
      // Début is Fin less the step on the wall clock, which says nothing on the two days that change it.
      step: isKnownStep(step) ? step : 0,
    })
  }
  return {
    row: (row: SheetRow, number: number) => (columns && curve ? data(row, number, columns, curve) : head(row, number)),
    found: () => (columns && curve ? { columns, curve, prm } : null),
  }
}

function findColumns(row: SheetRow): Columns | null {
  const columns: Columns = { start: -1, end: -1, value: -1, unit: '' }
  for (const [at, text] of row) {
    const title = foldText(text)
    if (title === 'debut') columns.start = at
    else if (title === 'fin') columns.end = at
    else if (/^(valeur|puissance|energie|consommation|production)/.test(title)) {
      columns.value = at
      columns.unit = /\b(k?wh?)\b/i.exec(text)?.[1] ?? ''
    }
  }
  return columns.start >= 0 && columns.value >= 0 ? columns : null
}

/** A date cell holds days since 1900 or 1904; exports also write it as text. */
function formatStampCell(cell: string, date1904: boolean): string {
  const text = cell.trim()
  const french = /^(\d{2})\/(\d{2})\/(\d{4})[ T](.*)$/.exec(text)
  if (french) return `${french[3]}-${french[2]}-${french[1]}T${french[4]}`
  if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return text.replace(' ', 'T')
  const days = Number(text) - (date1904 ? 24_107 : 25_569)
  const date = new Date(Math.round(days * 86_400) * 1000)
  return Number.isNaN(date.getTime()) ? text : date.toISOString().slice(0, 19)
}

type SheetRef = { name: string; part: string }
/** `dates`: which of the workbook's styles show a number as a date or a time. */
type ExcelWorkbook = { sheets: SheetRef[]; date1904: boolean; strings: string[]; dates: boolean[] }
/** Cells of one row by column, from 0, as text. */
type SheetRow = Map<number, string>

/** The sheets of a workbook in its order, and the table of its texts. */
function openWorkbook(archive: ZipArchive): ExcelWorkbook {
  const targets = new Map<string, string>()
  scanXml(archive.read('xl/_rels/workbook.xml.rels'), {
    open(name, attributes) {
      if (name === 'Relationship') targets.set(getXmlAttribute(attributes, 'Id'), getXmlAttribute(attributes, 'Target'))
    },
    close: () => undefined,
  })
  const book: ExcelWorkbook = {
    sheets: [],
    date1904: false,
    strings: readStrings(archive),
    dates: readDateStyles(archive),
  }
  scanXml(archive.read('xl/workbook.xml'), {
    open(name, attributes) {
      if (name === 'workbookPr') book.date1904 = /^(1|true)$/.test(getXmlAttribute(attributes, 'date1904'))
      if (name !== 'sheet') return
      const target = targets.get(getXmlAttribute(attributes, 'r:id')) ?? ''
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      if (archive.has(part)) book.sheets.push({ name: unescapeXml(getXmlAttribute(attributes, 'name')), part })
    },
    close: () => undefined,
  })
  return book
}

function readStrings(archive: ZipArchive): string[] {
  const strings: string[] = []
  if (!archive.has('xl/sharedStrings.xml')) return strings
  let text = ''
  scanXml(archive.read('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'si') text = ''
    },
    close(name, content) {
      if (name === 't') text += content
      else if (name === 'si') strings.push(unescapeXml(text))
    },
  })
  return strings
}

/** Formats 14 to 22 and 45 to 47 are built in; the others say it by their letters. */
function readDateStyles(archive: ZipArchive): boolean[] {
  if (!archive.has('xl/styles.xml')) return []
  const formats = new Map<number, boolean>()
  const styles: boolean[] = []
  let within = false
  scanXml(archive.read('xl/styles.xml'), {
    open(name, attributes) {
      if (name === 'cellXfs') within = true
      if (name === 'numFmt') {
        const code = unescapeXml(getXmlAttribute(attributes, 'formatCode')).replace(/\[[^\]]*\]|"[^"]*"|\\./g, '')
        formats.set(Number(getXmlAttribute(attributes, 'numFmtId')), /[dmyhsja]/i.test(code))
      }
      if (name !== 'xf' || !within) return
      const id = Number(getXmlAttribute(attributes, 'numFmtId'))
      styles.push(formats.get(id) ?? ((id >= 14 && id <= 22) || (id >= 45 && id <= 47)))
    },
    close(name) {
      if (name === 'cellXfs') within = false
    },
  })
  return styles
}

const parseColumn = (reference: string) => {
  let column = 0
  for (const letter of reference) {
    if (letter < 'A' || letter > 'Z') break
    column = column * 26 + letter.charCodeAt(0) - 64
  }
  return column - 1
}

const createTooWideError = () =>
  new FileRefusedError(`Ce classeur a plus de ${formatFrenchNumber(MAX_CURVE_FILE_COLUMNS)} colonnes.`)

/** Hands over the rows of a sheet one by one, with the number the spreadsheet shows. */
function scanSheet(
  xml: string,
  strings: string[],
  onRow: (row: SheetRow, number: number) => void,
  written: (text: string, style: number) => string = (text) => text,
): void {
  let row: SheetRow = new Map()
  let number = 0
  let column = -1
  let type = ''
  let style = 0
  let text = ''
  const cellText = (raw: string, kind: string) => {
    if (kind === 's') return strings[Number(raw)] ?? ''
    return kind === '' || kind === 'n' ? written(raw, style) : unescapeXml(raw)
  }
  scanXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        number = Number(getXmlAttribute(attributes, 'r')) || number + 1
        row = new Map()
        column = -1
      } else if (name === 'c') {
        const reference = getXmlAttribute(attributes, 'r')
        column = reference ? parseColumn(reference) : column + 1
        if (column > MAX_CURVE_FILE_COLUMNS) throw createTooWideError()
        type = getXmlAttribute(attributes, 't')
        style = Number(getXmlAttribute(attributes, 's'))
        text = ''
      }
    },
    close(name, content) {
      if (name === 'v' || name === 't') text += content
      else if (name === 'c' && text !== '') row.set(column, cellText(text, type))
      else if (name === 'row') onRow(row, number)
    },
  })
}

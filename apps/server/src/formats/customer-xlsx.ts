import { foldText, formatFrenchNumber } from '../french.ts'
import { createStampClock } from './clock.ts'
import { isKnownStep, parseDirection, parseUnit } from './codes.ts'
import { MAX_CURVE_FILE_ROWS } from './limits.ts'
import { createRawCurve, createRawFile, findPrmInName, isPrm, type RawCurve, type RawFile } from './raw.ts'
import { parseTextReading } from './reading.ts'
import type { ParseReport } from './report.ts'
import { type CurveFileChoices, FileRefusedError } from './types.ts'
import { type ExcelWorkbook, type SheetRow, scanSheet } from './workbook.ts'
import type { ZipArchive } from './zip.ts'

const MAX_HEADER_ROWS = 60
const MAX_TRIED_SHEETS = 10
type Columns = { start: number; end: number; value: number; unit: string }

/** The customer space's workbook: some rows about the point, then Début, Fin and Valeur (en kW); null where it is another. */
export function parseCustomerWorkbook(
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

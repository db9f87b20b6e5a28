import {
  decodeLatin1,
  isKnownStep,
  parseDirection,
  parseNano,
  parseReading,
  parseStep,
  parseUnit,
  pointReadingAt,
  reportUnreadableStamp,
  reportUnreadableValue,
  UNREADABLE_NUMBER,
} from './cell-values.ts'
import { type CsvRow, type CsvSource, createCsvRow, splitCsvRow } from './csv-text.ts'
import { type CurveFileChoices, FileRefusedError, QUALITY_CODES } from './curve-file-types.ts'
import { foldText, formatFrenchNumber, NBSP, quoteText } from './french.ts'
import {
  createRawCurve,
  createRawFile,
  createReadingLocation,
  findPrmInName,
  isPrm,
  MAX_CURVE_FILE_COLUMNS,
  MAX_CURVES,
  MAX_READINGS,
  type ParseReport,
  type RawCurve,
  type RawFile,
  type ReadingLocation,
} from './raw-curves.ts'
import { findValueColumns, parseUnitInTitle, type TableLayout } from './table-layout.ts'
import { createStampClock } from './timestamps.ts'
import { createRefusal } from './unsupported-files.ts'

type Column = { at: number; curve: RawCurve }

/** A table of readings: one row for each point and stamp, or one column for each point, or a single one. */
export function parseReadingsTable(
  name: string,
  source: CsvSource,
  layout: TableLayout,
  report: ParseReport,
  choices: CurveFileChoices,
): RawFile {
  const fields = countFields(source)
  return layout.prmAt >= 0 && !layout.titles.some(findPrm)
    ? parseLongTable(source, layout, report)
    : parseWideTable(name, source, { layout, fields }, report, choices)
}

const findPrm = (title: string) => /(?<!\d)\d{14}(?!\d)/.exec(title)?.[0]

type TableShape = { layout: TableLayout; fields: number }

function parseWideTable(
  name: string,
  source: CsvSource,
  { layout, fields }: TableShape,
  report: ParseReport,
  choices: CurveFileChoices,
): RawFile {
  const { text, separator } = source
  const row = createCsvRow(fields)
  splitCsvRow(text.bytes, source.from, separator, row)
  const capacity = computeCapacity(source, fields)
  const shared = {
    stamps: new Int32Array(capacity),
    lines: new Int32Array(capacity),
    steps: null,
    quality: layout.natureAt < 0 ? null : new Uint8Array(capacity),
    length: 0,
  }
  const single = !layout.titles.some(findPrm)
  const columns = single
    ? buildSingleColumns({ name, layout, size: capacity, shared }, report, choices)
    : buildWideColumns(layout, capacity, shared, report, source.headerLine)
  if (columns.length === 0) throw createRefusal('Aucune colonne de ce fichier ne porte un PRM de 14 chiffres.')
  const zone = layout.legal ? 'Europe/Paris' : null
  const file = createRawFile({ format: single ? 'single' : 'wide', encoding: text.encoding, stamp: layout.stamp, zone })
  file.curves = columns.map((column) => column.curve)
  if (!layout.titled) row.next = source.from
  parseRows(source, row, { fields, columns, file, layout }, report)
  return file
}

function countFields({ text, from, separator }: CsvSource): number {
  let fields = 1
  for (let at = from; at < text.bytes.length && text.bytes[at] !== 10; at++) if (text.bytes[at] === separator) fields++
  if (fields > MAX_CURVE_FILE_COLUMNS)
    throw new FileRefusedError(
      `Ce fichier a ${formatFrenchNumber(fields)} colonnes. Au plus ${formatFrenchNumber(MAX_CURVE_FILE_COLUMNS)} sont lues.`,
    )
  if (fields < 2) throw createRefusal('Ce fichier n’a qu’une colonne.')
  return fields
}

// A row that lacks columns is not kept: the bytes bound the rows as well as the lines do.
function computeCapacity({ text, lines }: CsvSource, fields: number): number {
  const rows = Math.min(lines, Math.ceil(text.bytes.length / fields))
  if (rows * (fields - 1) > MAX_READINGS)
    throw new FileRefusedError(
      `Ce fichier tient plus de ${formatFrenchNumber(MAX_READINGS)} valeurs. Partagez-le par période ou par groupe de points.`,
    )
  return rows
}

type SharedColumns = Pick<RawCurve, 'stamps' | 'lines' | 'steps' | 'quality' | 'length'>
type SingleCurveInput = { name: string; layout: TableLayout; size: number; shared: SharedColumns }

/** One curve, or its two directions side by side, of the point that the name of the file or the person gives. */
function buildSingleColumns(
  { name, layout, size, shared }: SingleCurveInput,
  report: ParseReport,
  choices: CurveFileChoices,
): Column[] {
  const columns = findValueColumns(layout)
  const titles = columns.map((at) => layout.titles[at] ?? '')
  const sides = new Set(titles.map(parseDirection))
  if (columns.length > 1 && (sides.size < columns.length || sides.has(null)))
    throw createRefusal(
      `Plusieurs colonnes peuvent être la courbe${NBSP}: ${titles.map(quoteText).join(', ')}. Gardez-en une, ou donnez à chacune son PRM.`,
    )
  const prm = choices.prm ?? findPrmInName(name)
  if (!prm && columns.length > 0)
    report.error(
      'bad-prm',
      1,
      '',
      () => `Ni le fichier ni son nom ne donnent le PRM du point. Choisissez le point de cette courbe.`,
    )
  return columns.map((at) => {
    const title = layout.titles[at] ?? ''
    const about = { prm, direction: parseDirection(title), unit: parseUnitInTitle(title) }
    return { at, curve: { ...shared, ...about, values: new Float64Array(size) } }
  })
}

function buildWideColumns(
  { titles, values }: TableLayout,
  size: number,
  shared: SharedColumns,
  report: ParseReport,
  line: number,
): Column[] {
  const known = new Set<string>()
  const columns: Column[] = []
  for (const at of values) {
    const title = titles[at] ?? ''
    if (title === '') continue
    const prm = findPrm(title) ?? title
    const direction = parseDirection(title.replace(prm, ''))
    const key = `${prm} ${direction}`
    if (!isPrm(prm) || known.has(key)) {
      const why = isPrm(prm) ? 'apparaît deux fois' : `n’est pas un PRM. Attendu${NBSP}: 14 chiffres`
      report.error(
        'bad-prm',
        line,
        isPrm(prm) ? prm : '',
        () => `Ligne ${line}, colonne ${at + 1}${NBSP}: ${quoteText(title)} ${why}. La colonne est ignorée.`,
      )
      continue
    }
    known.add(key)
    columns.push({
      at,
      curve: { ...shared, prm, direction, unit: parseUnitInTitle(title), values: new Float64Array(size) },
    })
  }
  return columns
}

type RowsPlan = { fields: number; columns: Column[]; file: RawFile; layout: TableLayout }

function parseRows({ text, separator, headerLine }: CsvSource, row: CsvRow, plan: RowsPlan, report: ParseReport): void {
  const { bytes } = text
  const { file, columns, fields, layout } = plan
  const cell = createReadingLocation(bytes)
  const stampOf = createStampCellReader(bytes, layout)
  const clock = createStampClock(file)
  const [first] = columns
  if (!first) return
  const { stamps, lines, quality } = first.curve
  const natureAt = layout.natureAt * 2
  let length = 0
  for (let line = headerLine + (layout.titled ? 1 : 0); row.next < bytes.length; line++) {
    splitCsvRow(bytes, row.next, separator, row)
    if (row.end - row.start < 2) continue
    file.rows++
    if (row.fields !== fields) {
      reportFields(report, line, row.fields, fields)
      continue
    }
    stampOf(row, cell)
    const minute = clock.read(cell.stamp, cell.stampFrom, cell.stampTo)
    if (typeof minute !== 'number') {
      reportUnreadableStamp(report, minute, line, '', decodeLatin1(cell.stamp, cell.stampFrom, cell.stampTo))
      continue
    }
    if (quality) quality[length] = parseNature(text.decode(row.bounds[natureAt] ?? 0, row.bounds[natureAt + 1] ?? 0))
    stamps[length] = minute
    lines[length] = line
    for (const column of columns) parseCell(bytes, row, column, length, line, report)
    length++
  }
  for (const { curve } of columns) curve.length = length
}

function parseCell(
  bytes: Uint8Array,
  row: CsvRow,
  { at, curve }: Column,
  index: number,
  line: number,
  report: ParseReport,
): void {
  const from = row.bounds[at * 2] ?? 0
  const to = row.bounds[at * 2 + 1] ?? 0
  const nano = parseValue(bytes, from, to, curve)
  curve.values[index] = nano === UNREADABLE_NUMBER ? Number.NaN : nano
  if (nano === UNREADABLE_NUMBER) reportUnreadableValue(report, line, curve.prm, decodeLatin1(bytes, from, to))
}

/** A number, or a number with its unit beside it, which then is that of the column. */
function parseValue(bytes: Uint8Array, from: number, to: number, curve: RawCurve): number {
  const nano = parseNano(bytes, from, to)
  if (nano !== UNREADABLE_NUMBER) return nano
  const [, , letters] = /^(.*\d)\s*(k?Wh?)$/i.exec(decodeLatin1(bytes, from, to)) ?? []
  const unit = parseUnit(letters ?? '')
  if (!letters || !unit || (curve.unit && curve.unit !== unit)) return UNREADABLE_NUMBER
  curve.unit = unit
  return parseNano(bytes, from, to - letters.length)
}

function reportFields(report: ParseReport, line: number, found: number, expected: number): void {
  report.error('unreadable', line, '', () => `Ligne ${line}${NBSP}: ${found} colonnes au lieu de ${expected}.`)
}

/** One row for each point and stamp: the column of the point says whose it is. */
function parseLongTable(source: CsvSource, layout: TableLayout, report: ParseReport): RawFile {
  const { text, separator, headerLine } = source
  const { bytes } = text
  const valueAt = requireSingleValueColumn(layout)
  const zone = layout.legal ? 'Europe/Paris' : null
  const file = createRawFile({ format: 'long', encoding: text.encoding, stamp: layout.stamp, zone })
  const row = createCsvRow(layout.titles.length)
  splitCsvRow(bytes, source.from, separator, row)
  const clock = createStampClock(file)
  const reading = createReadingLocation(bytes)
  const stamps = createStampCellReader(bytes, layout)
  const cell = (at: number) =>
    at < 0 || at >= row.fields ? '' : text.decode(row.bounds[at * 2] ?? 0, row.bounds[at * 2 + 1] ?? 0)
  const curveOf = createCurveFinder(file, report, parseUnitInTitle(layout.titles[valueAt] ?? ''))
  for (let line = headerLine + 1; row.next < bytes.length; line++) {
    splitCsvRow(bytes, row.next, separator, row)
    if (row.end - row.start < 2) continue
    file.rows++
    const curve = curveOf(cell(layout.prmAt), cell(layout.directionAt), cell(layout.unitAt), line)
    if (!curve) continue
    pointReadingAt(reading, row, layout.stampAt, valueAt)
    stamps(row, reading)
    reading.line = line
    const step = parseStep(cell(layout.stepAt))
    reading.step = isKnownStep(step) ? step : 0
    reading.quality = parseNature(cell(layout.natureAt))
    parseReading(curve, clock, report, reading)
  }
  return file
}

const parseNature = (text: string): number =>
  /estim/.test(foldText(text))
    ? QUALITY_CODES.estimated
    : /corrig/.test(foldText(text))
      ? QUALITY_CODES.corrected
      : QUALITY_CODES.raw

function requireSingleValueColumn(layout: TableLayout): number {
  const [first, ...more] = findValueColumns(layout)
  if (first === undefined) throw createRefusal('Aucune colonne de ce tableau ne tient de valeurs.')
  if (more.length > 0)
    throw createRefusal(
      `Plusieurs colonnes de ce tableau peuvent tenir les valeurs${NBSP}: ${[first, ...more].map((at) => quoteText(layout.titles[at] ?? '')).join(', ')}. Gardez-en une.`,
    )
  return first
}

function createCurveFinder(file: RawFile, report: ParseReport, titled: RawCurve['unit']) {
  const curves = new Map<string, RawCurve>()
  return (written: string, side: string, unitCell: string, line: number): RawCurve | null => {
    const prm = written.replace(/[\s.]/g, '')
    const direction = parseDirection(side)
    const unit = parseUnit(unitCell) ?? titled
    const known = curves.get(`${prm} ${direction}`)
    if (known && known.unit === unit) return known
    if (known) {
      report.error(
        'unreadable',
        line,
        prm,
        () => `Ligne ${line}${NBSP}: l’unité change dans la courbe du point ${prm}.`,
      )
      return null
    }
    if (!isPrm(prm)) {
      const what = () => `Ligne ${line}${NBSP}: ${quoteText(written)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`
      report.error('bad-prm', line, '', what)
      return null
    }
    if (curves.size >= MAX_CURVES)
      throw new FileRefusedError(
        `Ce fichier a plus de ${formatFrenchNumber(MAX_CURVES)} courbes. Partagez-le par groupe de points.`,
      )
    const curve = createRawCurve(prm, direction, unit)
    curves.set(`${prm} ${direction}`, curve)
    file.curves.push(curve)
    return curve
  }
}

const SCRATCH_BYTES = 64

/** Points a reading at its stamp; where the date and the time stand apart, they are first written side by side. */
function createStampCellReader(bytes: Uint8Array, { stampAt, timeAt }: Pick<TableLayout, 'stampAt' | 'timeAt'>) {
  const scratch = new Uint8Array(SCRATCH_BYTES)
  return ({ bounds, fields }: CsvRow, into: Pick<ReadingLocation, 'stamp' | 'stampFrom' | 'stampTo'>): void => {
    const [from, to] = fields > stampAt ? [bounds[stampAt * 2] ?? 0, bounds[stampAt * 2 + 1] ?? 0] : [0, 0]
    if (timeAt < 0) {
      into.stamp = bytes
      into.stampFrom = from
      into.stampTo = to
      return
    }
    const [timeFrom, timeTo] = fields > timeAt ? [bounds[timeAt * 2] ?? 0, bounds[timeAt * 2 + 1] ?? 0] : [0, 0]
    const date = bytes.subarray(from, Math.min(to, from + SCRATCH_BYTES / 2 - 1))
    const time = bytes.subarray(timeFrom, Math.min(timeTo, timeFrom + SCRATCH_BYTES / 2))
    scratch.set(date)
    scratch[date.length] = 32
    scratch.set(time, date.length + 1)
    into.stamp = scratch
    into.stampFrom = 0
    into.stampTo = date.length + 1 + time.length
  }
}

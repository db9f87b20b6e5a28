import { frenchNumber, NBSP, quoted } from '../french.ts'
import { createClock } from './clock.ts'
import { directionOf, unitOf } from './codes.ts'
import { refuse } from './foreign.ts'
import { type Layout, unitIn, valueColumns } from './layout.ts'
import { MAX_COLUMNS, MAX_READINGS } from './limits.ts'
import { natureOf, readLong } from './long.ts'
import { readNano, UNREADABLE } from './number.ts'
import { createFile, createReading, isPrm, prmInName, type RawCurve, type RawFile } from './raw.ts'
import { latin, reportStamp, reportValue } from './reading.ts'
import type { Report } from './report.ts'
import { createRow, type Row, readRow } from './rows.ts'
import { createStampCell } from './stamp-cell.ts'
import type { Source } from './text.ts'
import { type Choices, FileRefused } from './types.ts'

type Column = { at: number; curve: RawCurve }

/** A table of readings: one row for each point and stamp, or one column for each point, or a single one. */
export function readTable(name: string, source: Source, layout: Layout, report: Report, choices: Choices): RawFile {
  const fields = countFields(source)
  return layout.prmAt >= 0 && !layout.titles.some(prmIn)
    ? readLong(source, layout, report)
    : readWide(name, source, { layout, fields }, report, choices)
}

const prmIn = (title: string) => /(?<!\d)\d{14}(?!\d)/.exec(title)?.[0]

type Shape = { layout: Layout; fields: number }

function readWide(name: string, source: Source, { layout, fields }: Shape, report: Report, choices: Choices): RawFile {
  const { text, separator } = source
  const row = createRow(fields)
  readRow(text.bytes, source.from, separator, row)
  const capacity = capacityOf(source, fields)
  const shared = {
    stamps: new Int32Array(capacity),
    lines: new Int32Array(capacity),
    steps: null,
    quality: layout.natureAt < 0 ? null : new Uint8Array(capacity),
    length: 0,
  }
  const single = !layout.titles.some(prmIn)
  const columns = single
    ? singleColumns({ name, layout, size: capacity, shared }, report, choices)
    : wideColumns(layout, capacity, shared, report, source.headerLine)
  if (columns.length === 0) throw refuse('Aucune colonne de ce fichier ne porte un PRM de 14 chiffres.')
  const zone = layout.legal ? 'Europe/Paris' : null
  const file = createFile({ format: single ? 'single' : 'wide', encoding: text.encoding, stamp: layout.stamp, zone })
  file.curves = columns.map((column) => column.curve)
  if (!layout.titled) row.next = source.from
  readRows(source, row, { fields, columns, file, layout }, report)
  return file
}

function countFields({ text, from, separator }: Source): number {
  let fields = 1
  for (let at = from; at < text.bytes.length && text.bytes[at] !== 10; at++) if (text.bytes[at] === separator) fields++
  if (fields > MAX_COLUMNS)
    throw new FileRefused(
      `Ce fichier a ${frenchNumber(fields)} colonnes. Au plus ${frenchNumber(MAX_COLUMNS)} sont lues.`,
    )
  if (fields < 2) throw refuse('Ce fichier n’a qu’une colonne.')
  return fields
}

// A row that lacks columns is not kept: the bytes bound the rows as well as the lines do.
function capacityOf({ text, lines }: Source, fields: number): number {
  const rows = Math.min(lines, Math.ceil(text.bytes.length / fields))
  if (rows * (fields - 1) > MAX_READINGS)
    throw new FileRefused(
      `Ce fichier tient plus de ${frenchNumber(MAX_READINGS)} valeurs. Partagez-le par période ou par groupe de points.`,
    )
  return rows
}

type Shared = Pick<RawCurve, 'stamps' | 'lines' | 'steps' | 'quality' | 'length'>
type Single = { name: string; layout: Layout; size: number; shared: Shared }

/** One curve, or its two directions side by side, of the point that the name of the file or the person gives. */
function singleColumns({ name, layout, size, shared }: Single, report: Report, choices: Choices): Column[] {
  const columns = valueColumns(layout)
  const titles = columns.map((at) => layout.titles[at] ?? '')
  const sides = new Set(titles.map(directionOf))
  if (columns.length > 1 && (sides.size < columns.length || sides.has(null)))
    throw refuse(
      `Plusieurs colonnes peuvent être la courbe${NBSP}: ${titles.map(quoted).join(', ')}. Gardez-en une, ou donnez à chacune son PRM.`,
    )
  const prm = choices.prm ?? prmInName(name)
  if (!prm && columns.length > 0)
    report.error(
      'bad-prm',
      1,
      '',
      () => `Ni le fichier ni son nom ne donnent le PRM du point. Choisissez le point de cette courbe.`,
    )
  return columns.map((at) => {
    const title = layout.titles[at] ?? ''
    const about = { prm, direction: directionOf(title), unit: unitIn(title) }
    return { at, curve: { ...shared, ...about, values: new Float64Array(size) } }
  })
}

function wideColumns({ titles, values }: Layout, size: number, shared: Shared, report: Report, line: number): Column[] {
  const known = new Set<string>()
  const columns: Column[] = []
  for (const at of values) {
    const title = titles[at] ?? ''
    if (title === '') continue
    const prm = prmIn(title) ?? title
    const direction = directionOf(title.replace(prm, ''))
    const key = `${prm} ${direction}`
    if (!isPrm(prm) || known.has(key)) {
      const why = isPrm(prm) ? 'apparaît deux fois' : `n’est pas un PRM. Attendu${NBSP}: 14 chiffres`
      report.error(
        'bad-prm',
        line,
        isPrm(prm) ? prm : '',
        () => `Ligne ${line}, colonne ${at + 1}${NBSP}: ${quoted(title)} ${why}. La colonne est ignorée.`,
      )
      continue
    }
    known.add(key)
    columns.push({ at, curve: { ...shared, prm, direction, unit: unitIn(title), values: new Float64Array(size) } })
  }
  return columns
}

type Plan = { fields: number; columns: Column[]; file: RawFile; layout: Layout }

function readRows({ text, separator, headerLine }: Source, row: Row, plan: Plan, report: Report): void {
  const { bytes } = text
  const { file, columns, fields, layout } = plan
  const cell = createReading(bytes)
  const stampOf = createStampCell(bytes, layout)
  const clock = createClock(file)
  const [first] = columns
  if (!first) return
  const { stamps, lines, quality } = first.curve
  const natureAt = layout.natureAt * 2
  let length = 0
  for (let line = headerLine + (layout.titled ? 1 : 0); row.next < bytes.length; line++) {
    readRow(bytes, row.next, separator, row)
    if (row.end - row.start < 2) continue
    file.rows++
    if (row.fields !== fields) {
      reportFields(report, line, row.fields, fields)
      continue
    }
    stampOf(row, cell)
    const minute = clock.read(cell.stamp, cell.stampFrom, cell.stampTo)
    if (typeof minute !== 'number') {
      reportStamp(report, minute, line, '', latin(cell.stamp, cell.stampFrom, cell.stampTo))
      continue
    }
    if (quality) quality[length] = natureOf(text.decode(row.bounds[natureAt] ?? 0, row.bounds[natureAt + 1] ?? 0))
    stamps[length] = minute
    lines[length] = line
    for (const column of columns) readCell(bytes, row, column, length, line, report)
    length++
  }
  for (const { curve } of columns) curve.length = length
}

function readCell(
  bytes: Uint8Array,
  row: Row,
  { at, curve }: Column,
  index: number,
  line: number,
  report: Report,
): void {
  const from = row.bounds[at * 2] ?? 0
  const to = row.bounds[at * 2 + 1] ?? 0
  const nano = readValue(bytes, from, to, curve)
  curve.values[index] = nano === UNREADABLE ? Number.NaN : nano
  if (nano === UNREADABLE) reportValue(report, line, curve.prm, latin(bytes, from, to))
}

/** A number, or a number with its unit beside it, which then is that of the column. */
function readValue(bytes: Uint8Array, from: number, to: number, curve: RawCurve): number {
  const nano = readNano(bytes, from, to)
  if (nano !== UNREADABLE) return nano
  const [, , letters] = /^(.*\d)\s*(k?Wh?)$/i.exec(latin(bytes, from, to)) ?? []
  const unit = unitOf(letters ?? '')
  if (!letters || !unit || (curve.unit && curve.unit !== unit)) return UNREADABLE
  curve.unit = unit
  return readNano(bytes, from, to - letters.length)
}

function reportFields(report: Report, line: number, found: number, expected: number): void {
  report.error('unreadable', line, '', () => `Ligne ${line}${NBSP}: ${found} colonnes au lieu de ${expected}.`)
}

import { frenchNumber, NBSP, plain, quoted } from '../french.ts'
import { createClock } from './clock.ts'
import { directionOf, unitOf } from './codes.ts'
import { refuse } from './foreign.ts'
import { MAX_COLUMNS, MAX_READINGS } from './limits.ts'
import { readNano, UNREADABLE } from './number.ts'
import { createFile, isPrm, prmInName, type RawCurve, type RawFile } from './raw.ts'
import { latin, reportStamp, reportValue } from './reading.ts'
import type { Report } from './report.ts'
import { createRow, type Row, readRow } from './rows.ts'
import { readStamp } from './stamp.ts'
import type { Source, TextBytes } from './text.ts'
import { type Choices, FileRefused } from './types.ts'

const STAMP_NAMES = /^"?(horodate|horodatage|date|date et heure|date heure|debut|fin|timestamp)\b/

const startsWithStamp = (line: string) => {
  const bytes = new TextEncoder().encode(
    line
      .replace(/^"/, '')
      .slice(0, 25)
      .split(/[;,\t"]/)[0],
  )
  return readStamp(bytes, 0, bytes.length, { minute: 0, offset: null, seconds: 0 })
}

export const isWide = (header: string) => STAMP_NAMES.test(plain(header)) || startsWithStamp(header)

/** Beside a naive stamp, summer or winter: the order of the rows already tells it. */
const LEGAL_TIME = 'heure legale'

type Column = { at: number; curve: RawCurve }

/** A first column of stamps, then one column for each point, or a single one whose point the name of the file gives. */
export function readWide(name: string, source: Source, report: Report, choices: Choices): RawFile {
  const { text, separator, header } = source
  const { bytes } = text
  const titled = !startsWithStamp(header)
  const fields = countFields(source)
  const row = createRow(fields)
  readRow(bytes, source.from, separator, row)
  const titles = titled ? titlesOf(text, row) : ['', ...Array(Math.max(0, fields - 1)).fill('')]
  const single = titles.length === 2 && !/\d{14}/.test(titles[1] ?? '')
  const capacity = capacityOf(source, fields)
  const shared = {
    stamps: new Int32Array(capacity),
    lines: new Int32Array(capacity),
    steps: null,
    quality: null,
    length: 0,
  }
  const columns = single
    ? [singleColumn(name, titles[1] ?? '', capacity, shared, report, choices)]
    : wideColumns(titles, capacity, shared, report, source.headerLine)
  if (columns.length === 0) throw refuse('Aucune colonne de ce fichier ne porte un PRM de 14 chiffres.')
  const stamp = /^"?debut\b/.test(plain(header)) ? 'start' : /^"?fin\b/.test(plain(header)) ? 'end' : null
  const file = createFile({ format: single ? 'single' : 'wide', encoding: text.encoding, stamp, zone: null })
  file.curves = columns.map((column) => column.curve)
  if (!titled) row.next = source.from
  readRows(source, row, { fields, columns, file, titled }, report)
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

const titlesOf = (text: TextBytes, row: Row) =>
  Array.from({ length: row.fields }, (_, n) => text.decode(row.bounds[n * 2] ?? 0, row.bounds[n * 2 + 1] ?? 0))

const unitIn = (title: string) => unitOf(/(?:^|[^\w])(k?Wh?)(?:$|[^\w])/i.exec(title)?.[1] ?? '')

type Shared = Pick<RawCurve, 'stamps' | 'lines' | 'steps' | 'quality' | 'length'>

function singleColumn(
  name: string,
  title: string,
  size: number,
  shared: Shared,
  report: Report,
  choices: Choices,
): Column {
  const prm = choices.prm ?? prmInName(name)
  if (!prm)
    report.error(
      'bad-prm',
      1,
      '',
      () => `Ni le fichier ni son nom ne donnent le PRM du point. Choisissez le point de cette courbe.`,
    )
  const direction = directionOf(title)
  return { at: 1, curve: { ...shared, prm, direction, unit: unitIn(title), values: new Float64Array(size) } }
}

function wideColumns(titles: string[], size: number, shared: Shared, report: Report, line: number): Column[] {
  const known = new Set<string>()
  const columns: Column[] = []
  for (const [at, title] of titles.entries()) {
    if (at === 0 || (title === '' && at === titles.length - 1) || plain(title) === LEGAL_TIME) continue
    const prm = /(?<!\d)\d{14}(?!\d)/.exec(title)?.[0] ?? title
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

type Plan = { fields: number; columns: Column[]; file: RawFile; titled: boolean }

function readRows({ text: { bytes }, separator, headerLine }: Source, row: Row, plan: Plan, report: Report): void {
  const { file, columns, fields } = plan
  const clock = createClock(file)
  const [first] = columns
  if (!first) return
  const { stamps, lines } = first.curve
  let length = 0
  for (let line = headerLine + (plan.titled ? 1 : 0); row.next < bytes.length; line++) {
    readRow(bytes, row.next, separator, row)
    if (row.end - row.start < 2) continue
    file.rows++
    if (row.fields !== fields) {
      reportFields(report, line, row.fields, fields)
      continue
    }
    const [from = 0, to = 0] = [row.bounds[0], row.bounds[1]]
    const minute = clock.read(bytes, from, to)
    if (typeof minute !== 'number') {
      reportStamp(report, minute, line, '', latin(bytes, from, to))
      continue
    }
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
  const nano = readNano(bytes, from, to)
  curve.values[index] = nano === UNREADABLE ? Number.NaN : nano
  if (nano === UNREADABLE) reportValue(report, line, curve.prm, latin(bytes, from, to))
}

function reportFields(report: Report, line: number, found: number, expected: number): void {
  report.error('unreadable', line, '', () => `Ligne ${line}${NBSP}: ${found} colonnes au lieu de ${expected}.`)
}

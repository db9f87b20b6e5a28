import {
  decodeLatin1,
  isActiveQuantity,
  isKnownStep,
  parseDirection,
  parseQuality,
  parseReading,
  parseStep,
  parseUnit,
  pointReadingAt,
} from './cell-values.ts'
import { type CsvRow, type CsvSource, createCsvRow, splitCsvRow, type TextBytes } from './csv-text.ts'
import { QUALITY_CODES } from './curve-file-types.ts'
import { foldText, formatCount, NBSP, quoteText } from './french.ts'
import {
  createRawCurve,
  createRawFile,
  createReadingLocation,
  isPrm,
  type ParseReport,
  type RawCurve,
  type RawFile,
  type ReadingLocation,
} from './raw-curves.ts'
import { createStampClock } from './timestamps.ts'

const COLUMN_NAMES = [
  'identifiant prm',
  'horodate',
  'valeur',
  'grandeur physique',
  'grandeur metier',
  'etape metier',
  'unite',
  'nature',
  'pas',
  'indice de vraisemblance',
] as const
/** The columns without which a row says nothing. */
const REQUIRED_COLUMNS = COLUMN_NAMES.length - 1

/** What repeats from row to row, decoded once per spelling. */
type RowKind = {
  curve: RawCurve | null
  step: number
  quality: number
  why: 'bad-prm' | 'inactive' | 'step' | 'unit' | 'short' | null
  prm: string
}

const SHORT_ROW: RowKind = { curve: null, step: 0, quality: QUALITY_CODES.raw, why: 'short', prm: '' }

export const isR63Header = (header: string) => {
  const name = foldText(header)
  const named = name.includes('identifiant prm') && name.includes('horodate') && name.includes('valeur')
  // Others name these three columns too: what they mean is then for the person to say.
  return named && /grandeur|etape metier/.test(name)
}

export function parseR63(source: CsvSource, report: ParseReport): RawFile {
  const { text, headerLine } = source
  const file = createR63File(text)
  const { columns, next } = readColumnNames(source)
  const rows = createR63RowReader({ columns, separator: source.separator }, file, report)
  rows.read(text.bytes, next, headerLine + 1)
  rows.done()
  return file
}

export const createR63File = ({ encoding }: Pick<TextBytes, 'encoding'>): RawFile =>
  createRawFile({ format: 'r63', encoding, stamp: 'end', zone: 'Europe/Paris' })

/** Where each of the columns stands, -1 where it lacks, and where the first row starts. */
export function readColumnNames({ text, separator, from }: Pick<CsvSource, 'text' | 'separator' | 'from'>) {
  const row = createCsvRow(64)
  splitCsvRow(text.bytes, from, separator, row)
  return { columns: findColumns(text, row), next: row.next }
}

/** Reads the rows of one file, whole or piece by piece: a piece ends with a row. */
export function createR63RowReader(
  { columns, separator }: { columns: number[]; separator: number },
  file: RawFile,
  report: ParseReport,
) {
  const curves = new Map<string, RawCurve>()
  const row = createCsvRow(64)
  const clock = createStampClock(file)
  const [, stamp = 0, value = 0] = columns
  const last = Math.max(...columns.slice(0, REQUIRED_COLUMNS))
  let inactive = 0
  return {
    /** The number of the line after the last one read. */
    read(bytes: Uint8Array, from: number, firstLine: number): number {
      const kindOf = createRowKindReader(bytes, row, columns, curves, file)
      const reading = createReadingLocation(bytes)
      const repeats = createRepeatedRowMatcher(bytes, separator, stamp, value)
      let kind = SHORT_ROW
      let line = firstLine
      for (let at = from; at < bytes.length; line++) {
        const next = kind.curve ? repeats.match(at, reading) : -1
        if (next > 0 && kind.curve) {
          at = next
          file.rows++
          reading.line = line
          parseReading(kind.curve, clock, report, reading)
          continue
        }
        splitCsvRow(bytes, at, separator, row)
        at = row.next
        if (row.end - row.start < 2) continue
        file.rows++
        kind = row.fields > last ? kindOf() : SHORT_ROW
        if (kind.why === 'inactive') inactive++
        else if (!kind.curve) reportKind(report, kind, line)
        else {
          pointReadingAt(reading, row, stamp, value)
          reading.line = line
          reading.step = kind.step
          reading.quality = kind.quality
          parseReading(kind.curve, clock, report, reading)
          repeats.learn(row)
        }
      }
      return line
    },
    done: () => reportInactive(report, inactive),
  }
}

function reportInactive(report: ParseReport, rows: number): void {
  const what = () =>
    `${formatCount(rows, 'ligne ignorée', 'lignes ignorées')}${NBSP}: leur grandeur physique n’est pas la puissance active.`
  if (rows > 0) report.warning('unreadable', 1, '', what, rows)
}

function findColumns(text: TextBytes, row: CsvRow): number[] {
  const header = Array.from({ length: Math.min(row.fields, 64) }, (_, n) =>
    foldText(text.decode(row.bounds[n * 2] ?? 0, row.bounds[n * 2 + 1] ?? 0)),
  )
  return COLUMN_NAMES.map((name) => header.indexOf(name))
}

/**
 * Rows of one point differ by their stamp and value only: the other fields are compared, byte by byte, with those of the
 * row before, and decoded when they change.
 */
function createRowKindReader(
  bytes: Uint8Array,
  row: CsvRow,
  columns: number[],
  curves: Map<string, RawCurve>,
  file: RawFile,
): () => RowKind {
  const watched = columns.filter((column, n) => column >= 0 && n !== 1 && n !== 2)
  const before = new Int32Array(row.bounds.length)
  let kind: RowKind | undefined
  const text = (n: number) => {
    const column = columns[n] ?? -1
    return column < 0 || column >= row.fields
      ? ''
      : decodeLatin1(bytes, row.bounds[column * 2] ?? 0, row.bounds[column * 2 + 1] ?? 0)
  }
  const same = () => {
    for (const column of watched) if (!sameField(bytes, before, row.bounds, column)) return false
    return true
  }
  return () => {
    if (kind && same()) return kind
    kind = decodeKind(text, curves, file)
    before.set(row.bounds)
    return kind
  }
}

function decodeKind(text: (n: number) => string, curves: Map<string, RawCurve>, file: RawFile): RowKind {
  const prm = text(0)
  const step = parseStep(text(8))
  const quality = parseQuality({ stage: text(5), nature: text(7), plausibility: text(9) })
  const kind: RowKind = { curve: null, step, quality, why: null, prm }
  if (!isActiveQuantity(text(3))) return { ...kind, why: 'inactive' }
  if (!isPrm(prm)) return { ...kind, why: 'bad-prm' }
  if (text(8) && !isKnownStep(step)) return { ...kind, why: 'step' }
  const unit = parseUnit(text(6))
  const direction = parseDirection(text(4))
  const key = `${prm} ${direction}`
  const curve = curves.get(key) ?? createRawCurve(prm, direction, unit)
  if (curve.unit !== unit) return { ...kind, why: 'unit' }
  if (!curves.has(key)) {
    curves.set(key, curve)
    file.curves.push(curve)
  }
  return { ...kind, curve }
}

function reportKind(report: ParseReport, { why, prm }: RowKind, line: number): void {
  if (why === 'short') report.error('unreadable', line, '', () => `Ligne ${line}${NBSP}: il manque des colonnes.`)
  else if (why === 'bad-prm')
    report.error(
      'bad-prm',
      line,
      '',
      () => `Ligne ${line}${NBSP}: ${quoteText(prm)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`,
    )
  else if (why === 'step')
    report.error(
      'off-step',
      line,
      prm,
      () => `Ligne ${line}${NBSP}: le pas n’est pas reconnu. Attendu${NBSP}: PT5M, PT10M, PT15M, PT30M ou PT60M.`,
    )
  else
    report.error('unreadable', line, prm, () => `Ligne ${line}${NBSP}: l’unité change dans la courbe du point ${prm}.`)
}

function sameField(bytes: Uint8Array, before: Int32Array, now: Int32Array, column: number): boolean {
  const from = before[column * 2] ?? 0
  const at = now[column * 2] ?? 0
  const length = (now[column * 2 + 1] ?? 0) - at
  if ((before[column * 2 + 1] ?? 0) - from !== length) return false
  for (let n = 0; n < length; n++) if (bytes[from + n] !== bytes[at + n]) return false
  return true
}

const NEWLINE = 10
const QUOTE = 34

/**
 * Rows of one point differ by their stamp and value only. What stands before and after them is compared with the last
 * row that was split, as it lies in memory: most rows of a curve are then read without being split.
 */
function createRepeatedRowMatcher(bytes: Uint8Array, separator: number, stamp: number, value: number) {
  let start = -1
  let before = 0
  let stampLength = 0
  let after = 0
  let afterLength = 0
  return {
    /** Takes a split row as the one that the next ones repeat. */
    learn({ bounds, start: from, end, fields }: CsvRow): void {
      start = -1
      const [stampFrom = 0, stampTo = 0] = bounds.subarray(stamp * 2, stamp * 2 + 2)
      const [valueFrom = 0, valueTo = 0] = bounds.subarray(value * 2, value * 2 + 2)
      const neighbours = value === stamp + 1 && fields > value + 1 && stamp > 0
      const bare = bytes[stampFrom - 1] === separator && bytes[stampTo] === separator && valueFrom === stampTo + 1
      if (!neighbours || !bare || bytes[valueTo] !== separator || bytes[end] !== NEWLINE) return
      for (let at = from; at < end; at++) if (bytes[at] === QUOTE) return
      start = from
      before = stampFrom - from
      stampLength = stampTo - stampFrom
      after = valueTo
      afterLength = end + 1 - valueTo
    },
    /** Whether the row at `from` repeats it; `reading` then has its stamp and value. Where the next row starts, or -1. */
    match(from: number, reading: ReadingLocation): number {
      if (start < 0) return -1
      for (let n = before - 1; n >= 0; n--) if (bytes[from + n] !== bytes[start + n]) return -1
      const stampFrom = from + before
      const stampTo = stampFrom + stampLength
      if (bytes[stampTo] !== separator) return -1
      // Digits, dashes, colons, a slash, a letter: none of them cuts a row.
      for (let n = stampFrom; n < stampTo; n++) {
        const byte = bytes[n] ?? 0
        if (byte === separator || byte === NEWLINE || byte === QUOTE) return -1
      }
      let at = stampTo + 1
      for (let byte = bytes[at] ?? 0; byte >= 48 && byte <= 57; byte = bytes[at] ?? 0) at++
      for (let n = 0; n < afterLength; n++) if (bytes[at + n] !== bytes[after + n]) return -1
      reading.stampFrom = stampFrom
      reading.stampTo = stampTo
      reading.valueFrom = stampTo + 1
      reading.valueTo = at
      return at + afterLength
    },
  }
}

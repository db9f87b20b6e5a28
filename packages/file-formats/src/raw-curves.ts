import {
  type CurveFileFormat,
  type CurveFileProblem,
  type CurveFileProblemCode,
  type Direction,
  QUALITY_CODES,
  type ReadingUnit,
  type StampPosition,
  type StampZone,
  type TextEncoding,
} from './curve-file-types.ts'

/** One curve as the file gives it, in columns of equal length, before time and unit are settled. */
export type RawCurve = {
  /** empty when the file names no valid point */
  prm: string
  direction: Direction | null
  /** null where the file does not say it */
  unit: ReadingUnit | null
  length: number
  /** minutes: of UTC when the file is zoned, else of the wall clock */
  stamps: Int32Array
  /** billionths of the unit, so that decimals stay exact; NaN is a hole */
  values: Float64Array
  /** minutes, 0 where the file does not say it; null: nowhere */
  steps: Uint8Array | null
  /** null: all raw */
  quality: Uint8Array | null
  lines: Int32Array
}

export type RawFile = {
  format: CurveFileFormat
  encoding: TextEncoding
  rows: number
  /** null: no stamp was read */
  zoned: boolean | null
  /** what the format fixes; null: to be found in the data or chosen */
  stamp: StampPosition | null
  zone: StampZone | null
  curves: RawCurve[]
}

export const createRawFile = (about: Pick<RawFile, 'format' | 'encoding' | 'stamp' | 'zone'>): RawFile => ({
  ...about,
  rows: 0,
  zoned: null,
  curves: [],
})

const INITIAL_CURVE_SIZE = 64

export const createRawCurve = (
  prm: string,
  direction: Direction | null,
  unit: ReadingUnit | null,
  room = 0,
  size = Math.max(INITIAL_CURVE_SIZE, room),
): RawCurve => ({
  prm,
  direction,
  unit,
  length: 0,
  stamps: new Int32Array(size),
  values: new Float64Array(size),
  steps: new Uint8Array(size),
  quality: new Uint8Array(size),
  lines: new Int32Array(size),
})

/** Where one reading stands in the file; readers fill the same one for each row. */
export type ReadingLocation = {
  stamp: Uint8Array
  stampFrom: number
  stampTo: number
  value: Uint8Array
  valueFrom: number
  valueTo: number
  line: number
  step: number
  quality: number
}

export const createReadingLocation = (bytes: Uint8Array): ReadingLocation => ({
  stamp: bytes,
  stampFrom: 0,
  stampTo: 0,
  value: bytes,
  valueFrom: 0,
  valueTo: 0,
  line: 0,
  step: 0,
  quality: QUALITY_CODES.raw,
})

export const isPrm = (text: string) => /^\d{14}$/.test(text)
export const findPrmInName = (name: string) => /(?<!\d)\d{14}(?!\d)/.exec(name)?.[0] ?? ''

const MAX_SHOWN_PROBLEMS = 500

export type ParseReport = {
  problems: CurveFileProblem[]
  counts: Partial<Record<CurveFileProblemCode, number>>
  /** `message` is built only for the problems that are shown: a file may hold millions. */
  error(code: CurveFileProblemCode, line: number, prm: string, message: () => string, times?: number): void
  warning(code: CurveFileProblemCode, line: number, prm: string, message: () => string, times?: number): void
}

export function createParseReport(): ParseReport {
  const problems: CurveFileProblem[] = []
  const counts: ParseReport['counts'] = {}
  const add =
    (severity: CurveFileProblem['severity']): ParseReport['error'] =>
    (code, line, prm, message, times = 1) => {
      counts[code] = (counts[code] ?? 0) + times
      if (problems.length >= MAX_SHOWN_PROBLEMS) return
      problems.push({ line, code, severity, ...(prm && { prm }), message: message() })
    }
  return { problems, counts, error: add('error'), warning: add('warning') }
}

export const MAX_CURVE_FILE_ROWS = 5_000_000
export const MAX_CURVE_FILE_BYTES = 64 * 1024 * 1024
/** Values of a whole file: a table of 500 points over a year of quarter hours stays below. */
export const MAX_READINGS = 20_000_000
export const MAX_CURVE_FILE_COLUMNS = 10_000
/** A request names ten thousand points, each in one or two directions. */
export const MAX_CURVES = 20_000
/** Above any operation the law allows, and below what one hour of watt-minutes holds in 32 bits. */
export const MAX_WATTS = 30_000_000

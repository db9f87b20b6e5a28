import type { CurveFormat } from '@voisol/contract/curves'
import type { Step } from '@voisol/energy/series'
import type { z } from 'zod'

export type CurveFileFormat = z.infer<typeof CurveFormat>
export const CURVE_FILE_FORMAT_LABELS: Record<CurveFileFormat, string> = {
  r63: 'Courbe R63 (CSV ou JSON)',
  hdm: 'Historique de mesures HDM (CSV)',
  r50: 'Flux R50 (XML)',
  r4x: 'Flux R4x (XML)',
  'customer-csv': 'Export de l’espace client Enedis (CSV)',
  'customer-xlsx': 'Export de l’espace client Enedis (Excel)',
  edf: 'Export EDF «\u00a0mes puissances atteintes\u00a0» (CSV)',
  wide: 'Tableau d’une colonne par point',
  long: 'Tableau d’une ligne par point et par horodate',
  single: 'Courbe d’un seul point',
}

export type Direction = 'consumption' | 'production'
export const READING_UNITS = ['W', 'kW', 'Wh', 'kWh'] as const
export type ReadingUnit = (typeof READING_UNITS)[number]
/** Whether a stamp opens or closes the interval of its value. */
export type StampPosition = 'start' | 'end'

/** The clock of the stamps: legal time, or one that never changes. */
export const STAMP_ZONES = ['Europe/Paris', 'UTC', '+01:00'] as const
export type StampZone = (typeof STAMP_ZONES)[number]

/** What the person sets where the file does not say it. What the format itself fixes is not changed by a choice. */
export type CurveFileChoices = {
  prm?: string
  direction?: Direction
  unit?: ReadingUnit
  stamp?: StampPosition
  zone?: StampZone
  /** Minutes, or the distances between stamps as they were found. */
  step?: Step | 'found'
}

export type TextEncoding = 'utf-8' | 'windows-1252' | 'utf-16'
export type DetectedConventions = {
  format: CurveFileFormat
  unit: ReadingUnit
  unitCertain: boolean
  /** minutes, ascending */
  steps: number[]
  stepCertain: boolean
  stamp: StampPosition
  stampCertain: boolean
  zone: StampZone | 'offset'
  zoneCertain: boolean
  /** days of 23 or 25 hours that hold readings */
  dstDays: string[]
  encoding: TextEncoding
  rows: number
  readings: number
  /** first local day with a reading */
  from: string
  /** exclusive */
  to: string
}

const CURVE_FILE_PROBLEM_CODES = [
  'unreadable',
  'duplicate',
  'conflict',
  'overlap',
  'gap',
  'negative',
  'impossible',
  'off-step',
  'unknown-point',
  'rounded',
  'bad-prm',
] as const
export type CurveFileProblemCode = (typeof CURVE_FILE_PROBLEM_CODES)[number]
export type CurveFileProblem = {
  line: number
  code: CurveFileProblemCode
  severity: 'error' | 'warning'
  prm?: string
  message: string
}

/** `doubtful`: the distributor itself finds the value implausible. */
export const QUALITY_CODES = { missing: 0, raw: 1, corrected: 2, estimated: 3, doubtful: 4 } as const

/** One way to read what the file does not say, and what it comes to: for each series in the order of the file. */
export type ReadingCandidate = {
  value: string
  readings: number
  /** Readings that find no place this way. */
  lost: number
  /** Minutes of UTC: the first interval opens, the last one closes. */
  from: number
  to: number
  series: { energyWh: number; peakWatts: number }[]
}
/** What only a person can say: until it is answered, nothing is stored. */
export type CurveFileQuestion = { about: 'unit' | 'stamp' | 'zone' | 'step'; candidates: ReadingCandidate[] }

/** A whole local day; MISSING where the file has nothing. Days of one series share one buffer each for their columns. */
export type CurveDay = {
  day: string
  step: Step
  watts: Int32Array
  quality: Uint8Array
  /** The line of the file that each value comes from. */
  lines: Int32Array
}
/** `prm` is empty when the file names no point and nobody chose one. */
export type ParsedSeries = { prm: string; direction: Direction | null; days: CurveDay[] }
export type ParsedFile = {
  detected: DetectedConventions
  series: ParsedSeries[]
  /** What is a guess in `detected`, with the other ways to read it. */
  questions: CurveFileQuestion[]
  /** the first 500 */
  problems: CurveFileProblem[]
  /** all of them: rows, but ranges for 'gap' and values for 'rounded' */
  counts: Partial<Record<CurveFileProblemCode, number>>
}

/** The file cannot be read at all; the message is a sentence for the person. */
export class FileRefusedError extends Error {
  override readonly name = 'FileRefused'
}

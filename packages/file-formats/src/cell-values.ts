import { STEPS } from '@voisol/energy/series'
import type { CsvRow } from './csv-text.ts'
import { type Direction, QUALITY_CODES, READING_UNITS, type ReadingUnit } from './curve-file-types.ts'
import { foldText, NBSP, quoteText } from './french.ts'
import type { ParseReport, RawCurve, ReadingLocation } from './raw-curves.ts'

import type { createStampClock } from './timestamps.ts'

export const decodeLatin1 = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, from + 60)))

export function reportUnreadableStamp(
  report: ParseReport,
  why: 'unreadable' | 'off-step',
  line: number,
  prm: string,
  text: string,
): void {
  report.error(why, line, prm, () =>
    why === 'unreadable'
      ? `Ligne ${line}${NBSP}: l’horodate ${quoteText(text)} n’est pas lisible. Attendu${NBSP}: AAAA-MM-JJ HH:MM, JJ/MM/AAAA HH:MM ou AAAA-MM-JJTHH:MM:SS+01:00, comme sur les autres lignes.`
      : `Ligne ${line}${NBSP}: l’horodate ${quoteText(text)} ne tombe pas sur une minute entière.`,
  )
}

export function reportUnreadableValue(report: ParseReport, line: number, prm: string, text: string): void {
  report.error('unreadable', line, prm, () => `Ligne ${line}${NBSP}: la valeur ${quoteText(text)} n’est pas un nombre.`)
}

function addToCurve(
  curve: RawCurve,
  stamp: number,
  value: number,
  about: Pick<ReadingLocation, 'step' | 'quality' | 'line'>,
) {
  if (curve.length === curve.stamps.length) growCurve(curve)
  const at = curve.length++
  curve.stamps[at] = stamp
  curve.values[at] = value
  curve.lines[at] = about.line
  if (curve.steps) curve.steps[at] = about.step
  if (curve.quality) curve.quality[at] = about.quality
}

function growCurve(curve: RawCurve): void {
  const size = curve.stamps.length * 2
  const larger = <T extends Int32Array | Float64Array | Uint8Array>(next: T, from: T) => {
    next.set(from)
    return next
  }
  curve.stamps = larger(new Int32Array(size), curve.stamps)
  curve.values = larger(new Float64Array(size), curve.values)
  curve.lines = larger(new Int32Array(size), curve.lines)
  if (curve.steps) curve.steps = larger(new Uint8Array(size), curve.steps)
  if (curve.quality) curve.quality = larger(new Uint8Array(size), curve.quality)
}

type StampClock = ReturnType<typeof createStampClock>

/** Reads one stamp and one value into the curve, or reports why it cannot. */
export function parseReading(curve: RawCurve, clock: StampClock, report: ParseReport, reading: ReadingLocation): void {
  const { stamp, stampFrom, stampTo, value, valueFrom, valueTo, line } = reading
  const minute = clock.read(stamp, stampFrom, stampTo)
  if (typeof minute !== 'number') {
    reportUnreadableStamp(report, minute, line, curve.prm, decodeLatin1(stamp, stampFrom, stampTo))
    return
  }
  let nano = parseNano(value, valueFrom, valueTo)
  if (nano === UNREADABLE_NUMBER) {
    reportUnreadableValue(report, line, curve.prm, decodeLatin1(value, valueFrom, valueTo))
    nano = Number.NaN
  }
  addToCurve(curve, minute, nano, reading)
}

/** Points a reading at two fields of a row; a field that lacks is empty. */
export function pointReadingAt(
  reading: ReadingLocation,
  { bounds, fields }: CsvRow,
  stamp: number,
  value: number,
): void {
  reading.stampFrom = bounds[stamp * 2] ?? 0
  reading.stampTo = bounds[stamp * 2 + 1] ?? 0
  reading.valueFrom = fields > value ? (bounds[value * 2] ?? 0) : 0
  reading.valueTo = fields > value ? (bounds[value * 2 + 1] ?? 0) : 0
}

const encoder = new TextEncoder()
/** The same from two texts. */
export function parseTextReading(
  curve: RawCurve,
  clock: StampClock,
  report: ParseReport,
  row: { stamp: string; value: string; line: number; step: number; quality?: number },
): void {
  const [stamp, value] = [encoder.encode(row.stamp.trim()), encoder.encode(row.value.trim())]
  const { line, step, quality = QUALITY_CODES.raw } = row
  const bounds = { stampFrom: 0, stampTo: stamp.length, valueFrom: 0, valueTo: value.length }
  parseReading(curve, clock, report, { stamp, value, ...bounds, line, step, quality })
}

/** What a field may hold instead of a number. */
export const UNREADABLE_NUMBER = Number.POSITIVE_INFINITY
const NANO = 1e9
const DECIMALS = 9
const EMPTY_MARKS = new Set(['', '-', 'na', 'n/a', 'nan', 'null', 'nc'])

const POWERS = Array.from({ length: DECIMALS + 1 }, (_, n) => 10 ** n)

/**
 * Billionths of the number in a field: NaN when it is empty, UNREADABLE when it is no number. Digits are summed as integers,
 * because 1,0005 kW must round up, and 1.0005 × 1000 in floating point does not.
 */
export function parseNano(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  const negative = bytes[at] === 45
  if (negative) at++
  let whole = 0
  let decimals = -1
  const first = at
  for (; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit >= 0 && digit <= 9) {
      if (decimals < DECIMALS) whole = whole * 10 + digit
      if (decimals >= 0) decimals++
    } else if ((digit === -2 || digit === -4) && decimals < 0) decimals = 0
    else return parseUnusualNumber(bytes, from, to)
  }
  if (at === first || (decimals === 0 && at === first + 1)) return parseUnusualNumber(bytes, from, to)
  const kept = decimals < 0 ? 0 : Math.min(decimals, DECIMALS)
  const nano = whole * (POWERS[DECIMALS - kept] ?? NANO)
  return negative ? -nano : nano
}

function parseUnusualNumber(bytes: Uint8Array, from: number, to: number): number {
  let text = ''
  for (let at = from; at < Math.min(to, from + 40); at++) text += String.fromCharCode(bytes[at] ?? 0)
  // Spreadsheets group thousands with a plain, a no-break or a narrow no-break space, the last two in UTF-8 or not.
  text = text.replace(/\u00e2\u0080\u00af|\u00c2?\u00a0|\s/g, '').toLowerCase()
  if (EMPTY_MARKS.has(text)) return Number.NaN
  if (!/^-?\d+([.,]\d+)?(e[+-]?\d+)?$/.test(text)) return UNREADABLE_NUMBER
  return Math.round(Number(text.replace(',', '.')) * NANO)
}

export function parseDirection(text: string): Direction | null {
  const name = foldText(text)
  if (/^prod|injec|production/.test(name)) return 'production'
  if (/^cons|soutir|consommation/.test(name)) return 'consumption'
  return null
}

export const parseUnit = (text: string): ReadingUnit | null =>
  READING_UNITS.find((unit) => unit.toLowerCase() === text.trim().toLowerCase()) ?? null

/** Active power or energy, and not the reactive quantities that the same files carry. */
export const isActiveQuantity = (text: string): boolean =>
  /^(pa|ea|puissance active|energie active|)$/.test(foldText(text))

/** The distributor's letters: measured or cut off, corrected or computed, estimated or rebuilt. */
export function parseQualityLetter(nature: string): number {
  if (/^[CKD]/.test(nature)) return QUALITY_CODES.corrected
  if (/^[EHP]/.test(nature)) return QUALITY_CODES.estimated
  return QUALITY_CODES.raw
}

/** What the distributor says of a value: it doubts it (an index of plausibility that is not 0), has corrected it, or how it came. */
export function parseQuality(said: { stage: string; nature: string; plausibility: string }): number {
  if (!/^0*$/.test(said.plausibility.trim())) return QUALITY_CODES.doubtful
  return /^(best|corr)/i.test(said.stage) ? QUALITY_CODES.corrected : parseQualityLetter(said.nature)
}

/** `PT30M`, `PT1H`, or plain minutes; 0 when there is none. */
export function parseStep(text: string): number {
  const [, count, letter] = /^(?:PT)?(\d{1,4})([MH]?)$/i.exec(text.trim()) ?? []
  return count ? Number(count) * (letter?.toUpperCase() === 'H' ? 60 : 1) : 0
}

export const isKnownStep = (minutes: number): boolean => STEPS.some((step) => step === minutes)

import { NBSP, quoteText } from '../french.ts'
import type { StampClock } from './clock.ts'
import { parseNano, UNREADABLE_NUMBER } from './number.ts'
import { addToCurve, type RawCurve, type ReadingLocation } from './raw.ts'
import type { ParseReport } from './report.ts'
import type { CsvRow } from './rows.ts'
import { QUALITY_CODES } from './types.ts'

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

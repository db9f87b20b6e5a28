import { NBSP, quoted } from '../french.ts'
import type { Clock } from './clock.ts'
import { readNano, UNREADABLE } from './number.ts'
import { pushReading, type RawCurve, type Reading } from './raw.ts'
import type { Report } from './report.ts'
import type { Row } from './rows.ts'
import { QUALITY } from './types.ts'

export const latin = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, from + 60)))

export function reportStamp(
  report: Report,
  why: 'unreadable' | 'off-step',
  line: number,
  prm: string,
  text: string,
): void {
  report.error(why, line, prm, () =>
    why === 'unreadable'
      ? `Ligne ${line}${NBSP}: l’horodate ${quoted(text)} n’est pas lisible. Attendu${NBSP}: AAAA-MM-JJ HH:MM, JJ/MM/AAAA HH:MM ou AAAA-MM-JJTHH:MM:SS+01:00, comme sur les autres lignes.`
      : `Ligne ${line}${NBSP}: l’horodate ${quoted(text)} ne tombe pas sur une minute entière.`,
  )
}

export function reportValue(report: Report, line: number, prm: string, text: string): void {
  report.error('unreadable', line, prm, () => `Ligne ${line}${NBSP}: la valeur ${quoted(text)} n’est pas un nombre.`)
}

/** Reads one stamp and one value into the curve, or reports why it cannot. */
export function addReading(curve: RawCurve, clock: Clock, report: Report, reading: Reading): void {
  const { stamp, stampFrom, stampTo, value, valueFrom, valueTo, line } = reading
  const minute = clock.read(stamp, stampFrom, stampTo)
  if (typeof minute !== 'number') {
    reportStamp(report, minute, line, curve.prm, latin(stamp, stampFrom, stampTo))
    return
  }
  let nano = readNano(value, valueFrom, valueTo)
  if (nano === UNREADABLE) {
    reportValue(report, line, curve.prm, latin(value, valueFrom, valueTo))
    nano = Number.NaN
  }
  pushReading(curve, minute, nano, reading)
}

/** Points a reading at two fields of a row; a field that lacks is empty. */
export function setReading(reading: Reading, { bounds, fields }: Row, stamp: number, value: number): void {
  reading.stampFrom = bounds[stamp * 2] ?? 0
  reading.stampTo = bounds[stamp * 2 + 1] ?? 0
  reading.valueFrom = fields > value ? (bounds[value * 2] ?? 0) : 0
  reading.valueTo = fields > value ? (bounds[value * 2 + 1] ?? 0) : 0
}

const encoder = new TextEncoder()
/** The same from two texts. */
export function addTexts(
  curve: RawCurve,
  clock: Clock,
  report: Report,
  row: { stamp: string; value: string; line: number; step: number; quality?: number },
): void {
  const [stamp, value] = [encoder.encode(row.stamp.trim()), encoder.encode(row.value.trim())]
  const { line, step, quality = QUALITY.raw } = row
  const bounds = { stampFrom: 0, stampTo: stamp.length, valueFrom: 0, valueTo: value.length }
  addReading(curve, clock, report, { stamp, value, ...bounds, line, step, quality })
}

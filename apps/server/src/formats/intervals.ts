import { dayOf, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import { formatCount, formatFrenchNumber, formatFrenchTime, NBSP } from '../french.ts'
import { createRemainderCarry, exceedsMaxWatts } from './exact.ts'
import { MAX_WATTS } from './limits.ts'
import type { RawCurve } from './raw.ts'
import type { ParseReport } from './report.ts'
import type { CurveTimeline } from './timeline.ts'
import { QUALITY_CODES, type ReadingUnit } from './types.ts'

/** Intervals that follow each other without overlap; MISSING where the file has a hole. */
export type Intervals = {
  length: number
  starts: Int32Array
  steps: Uint8Array
  watts: Int32Array
  quality: Uint8Array
  lines: Int32Array
}

const BEYOND_MAX_MESSAGE = `dépasse ${formatFrenchNumber(MAX_WATTS / 1e6)}${NBSP}MW. Vérifiez l’unité.`

/** Settles what stands for each interval: of two readings the first is kept, and every other one is reported. */
export function buildIntervals(
  curve: RawCurve,
  timeline: CurveTimeline,
  unit: ReadingUnit,
  report: ParseReport,
): Intervals {
  const { order, starts, steps } = timeline
  const size = order.length
  const kept = createIntervals(size)
  const read = createValueReader(curve, unit, report)
  let last: IntervalPlace | null = null
  for (let n = 0; n < size; n++) {
    const at = order[n] ?? 0
    const start = starts[n] ?? 0
    const step = steps[n] ?? 0
    if (step === 0 || start % step !== 0) reportOffStep(curve, at, start, step, report)
    else if (last && start < last.start + last.step) reportRepeatedReading(curve, { at, start, step }, last, report)
    else {
      last = { at, start, step }
      addInterval(kept, last, curve, read.watts(last))
    }
  }
  read.done()
  return kept
}

type IntervalPlace = { at: number; start: number; step: number }

export const createIntervals = (size: number): Intervals => ({
  length: 0,
  starts: new Int32Array(size),
  steps: new Uint8Array(size),
  watts: new Int32Array(size),
  quality: new Uint8Array(size),
  lines: new Int32Array(size),
})

function addInterval(into: Intervals, { at, start, step }: IntervalPlace, curve: RawCurve, watts: number): void {
  const n = into.length++
  into.starts[n] = start
  into.steps[n] = step
  into.watts[n] = watts
  into.quality[n] = watts === MISSING ? QUALITY_CODES.missing : (curve.quality?.[at] ?? QUALITY_CODES.raw)
  into.lines[n] = curve.lines[at] ?? 0
}

/** Reads values in the order of time; what is finer than the watt is carried within the local day. */
function createValueReader(curve: RawCurve, unit: ReadingUnit, report: ParseReport) {
  const carry = createRemainderCarry(unit)
  const split = { values: 0, line: 0, left: 0 }
  let nextDay = Number.NEGATIVE_INFINITY
  const refuse = (at: number, code: 'negative' | 'impossible') => {
    const line = curve.lines[at] ?? 0
    const value = () => `${formatFrenchNumber((curve.values[at] ?? 0) / 1e9)}${NBSP}${unit}`
    const why = code === 'negative' ? 'est négatif.' : BEYOND_MAX_MESSAGE
    report.error(code, line, curve.prm, () => `Ligne ${line}${NBSP}: ${value()} ${why} Le pas est laissé sans valeur.`)
    return MISSING
  }
  const startDay = (start: number) => {
    split.left += carry.close()
    const day = dayOf(start)
    nextDay = dayStart(day) + minutesOfDay(day)
  }
  return {
    watts({ at, start, step }: IntervalPlace): number {
      const nano = curve.values[at] ?? Number.NaN
      if (Number.isNaN(nano)) return MISSING
      if (nano < 0) return refuse(at, 'negative')
      if (start >= nextDay) startDay(start)
      if (exceedsMaxWatts(nano, unit, step)) return refuse(at, 'impossible')
      const watts = carry.watts(nano, step)
      if (carry.split() && split.values++ === 0) split.line = curve.lines[at] ?? 0
      return watts
    },
    done(): void {
      const left = (split.left + carry.close()) / carry.parts / 60_000
      if (split.values > 0)
        report.warning(
          'rounded',
          split.line,
          curve.prm,
          () => formatCarried(split.values, split.line, left),
          split.values,
        )
    },
  }
}

const LEFT = new Intl.NumberFormat('fr-FR', { maximumSignificantDigits: 2, signDisplay: 'exceptZero' })
function formatCarried(values: number, line: number, kwh: number): string {
  const what = formatCount(values, 'valeur plus fine', 'valeurs plus fines')
  const off = Math.abs(kwh) < 1e-9 ? 'aucun écart' : `écart total de ${LEFT.format(-kwh)}${NBSP}kWh`
  return `${what} que le watt, à partir de la ligne ${line}${NBSP}: le reste est reporté de pas en pas dans la journée (${off}).`
}

function reportOffStep(curve: RawCurve, at: number, start: number, step: number, report: ParseReport): void {
  const line = curve.lines[at] ?? 0
  report.error('off-step', line, curve.prm, () =>
    step === 0
      ? `Ligne ${line}${NBSP}: le pas de temps ne peut pas être établi. Attendu${NBSP}: 5, 10, 15, 30 ou 60${NBSP}minutes.`
      : `Ligne ${line}${NBSP}: le ${formatFrenchTime(start)} n’est pas le début d’un pas de ${step}${NBSP}minutes.`,
  )
}

function reportRepeatedReading(curve: RawCurve, now: IntervalPlace, kept: IntervalPlace, report: ParseReport): void {
  const line = curve.lines[now.at] ?? 0
  const other = curve.lines[kept.at] ?? 0
  const when = () => `Ligne ${line}${NBSP}: le ${formatFrenchTime(now.start)}`
  const [value, first] = [curve.values[now.at] ?? Number.NaN, curve.values[kept.at] ?? Number.NaN]
  const improved =
    curve.quality?.[kept.at] === QUALITY_CODES.corrected && curve.quality[now.at] !== QUALITY_CODES.corrected
  if (now.start !== kept.start || now.step !== kept.step) {
    const what = () => `${when()}, sur ${now.step}${NBSP}minutes, chevauche la ligne ${other}, gardée seule.`
    report.error('overlap', line, curve.prm, what)
  } else if (Object.is(value, first) || improved || Number.isNaN(value)) {
    const what = () =>
      `${when()} est déjà donné par la ligne ${other}${improved ? ', corrigée' : ''}. La ligne est ignorée.`
    report.warning('duplicate', line, curve.prm, what)
  } else {
    const before = Number.isNaN(first) ? 'rien' : formatFrenchNumber(first / 1e9)
    const what = () =>
      `${when()} vaut ${formatFrenchNumber(value / 1e9)}, mais ${before} à la ligne ${other}. La première valeur est gardée.`
    report.error('conflict', line, curve.prm, what)
  }
}

import { dayOf, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING, STEPS, type Step } from '@voisol/energy/series'
import { type CurveDay, QUALITY_CODES, type ReadingUnit } from './curve-file-types.ts'
import { formatCount, formatFrenchNumber, formatFrenchTime, NBSP } from './french.ts'
import { MAX_WATTS, type ParseReport, type RawCurve } from './raw-curves.ts'
import type { CurveTimeline } from './timeline.ts'

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

const computeGcd = (a: number, b: number): number => (b === 0 ? a : computeGcd(b, a % b))

type DaySpan = { day: string; from: number; to: number; opens: number; minutes: number; step: Step }

/**
 * Whole local days, each at the finest step that all of its intervals share: the mean power of a coarser interval holds in
 * each of its parts, so that nothing is lost. A day without any value is left out.
 */
export function toCurveDays(intervals: Intervals): CurveDay[] {
  const spans = listDaySpans(intervals)
  const size = spans.reduce((sum, { minutes, step }) => sum + minutes / step, 0)
  const watts = new Int32Array(size).fill(MISSING)
  const quality = new Uint8Array(size)
  const lines = new Int32Array(size)
  let at = 0
  return spans.map((span) => {
    const length = span.minutes / span.step
    const day: CurveDay = {
      day: span.day,
      step: span.step,
      watts: watts.subarray(at, at + length),
      quality: quality.subarray(at, at + length),
      lines: lines.subarray(at, at + length),
    }
    at += length
    fillDay(day, span, intervals)
    return day
  })
}

function listDaySpans({ length, starts, steps, watts }: Intervals): DaySpan[] {
  const spans: DaySpan[] = []
  let at = 0
  while (at < length) {
    const day = dayOf(starts[at] ?? 0)
    const opens = dayStart(day)
    const minutes = minutesOfDay(day)
    const from = at
    let step = 0
    for (; at < length && (starts[at] ?? 0) < opens + minutes; at++)
      if (watts[at] !== MISSING && steps[at] !== step) step = computeGcd(step, steps[at] ?? 0)
    const known = STEPS.find((one) => one === step)
    if (known) spans.push({ day, from, to: at, opens, minutes, step: known })
  }
  return spans
}

function fillDay({ watts, quality, lines, step }: CurveDay, { from, to, opens }: DaySpan, intervals: Intervals): void {
  for (let at = from; at < to; at++) {
    const value = intervals.watts[at] ?? MISSING
    if (value === MISSING) continue
    const first = ((intervals.starts[at] ?? 0) - opens) / step
    const end = first + (intervals.steps[at] ?? 0) / step
    const known = intervals.quality[at] ?? 0
    const line = intervals.lines[at] ?? 0
    for (let n = first; n < end; n++) {
      watts[n] = value
      quality[n] = known
      lines[n] = line
    }
  }
}

/** Billionths of the unit in one watt, or in one watt-hour. */
const PARTS_PER_UNIT: Record<ReadingUnit, number> = { W: 1e9, kW: 1e6, Wh: 1e9, kWh: 1e6 }

/** Watts as a fraction, to compare and to add up for the eye; what is stored comes from `createCarry`. */
export const computeMeanWatts = (nano: number, unit: ReadingUnit, step: number): number =>
  unit === 'W' || unit === 'kW' ? nano / PARTS_PER_UNIT[unit] : (nano * 60) / (PARTS_PER_UNIT[unit] * step)

const exceedsMaxWatts = (nano: number, unit: ReadingUnit, step: number): boolean =>
  Math.floor(computeMeanWatts(nano, unit, step) + 0.5) > MAX_WATTS

/** A mean power as whole watts, and what is left of its energy in parts of a watt-minute: integers below 2^53 all the way. */
type ExactWatts = { watts: number; rest: number }

function exactWatts(nano: number, unit: ReadingUnit, step: number, out: ExactWatts): void {
  const parts = PARTS_PER_UNIT[unit]
  const left = nano % parts
  const whole = (nano - left) / parts
  if (unit === 'W' || unit === 'kW') {
    out.watts = whole
    out.rest = left * step
    return
  }
  // A watt-hour is sixty watt-minutes.
  const small = (left * 60) % parts
  const minutes = whole * 60 + (left * 60 - small) / parts
  out.watts = Math.floor(minutes / step)
  out.rest = (minutes - out.watts * step) * parts + small
}

/**
 * Rounds the powers of one local day to whole watts and carries what is left from step to step, so that the energy of the day
 * is off by half a watt over one step at most. A whole number of watts stays what it is.
 */
export function createRemainderCarry(unit: ReadingUnit) {
  const parts = PARTS_PER_UNIT[unit]
  const exact: ExactWatts = { watts: 0, rest: 0 }
  let carried = 0
  return {
    parts,
    watts(nano: number, step: number): number {
      exactWatts(nano, unit, step, exact)
      if (exact.rest === 0) return exact.watts
      const one = step * parts
      const due = exact.rest + carried
      const more = Math.max(Math.floor((due + one / 2) / one), -exact.watts)
      carried = due - more * one
      return exact.watts + more
    },
    /** Whether the last value had a part below the watt. */
    split: () => exact.rest !== 0,
    /** Ends a day: what could not be given to any of its steps, in parts of a watt-minute. */
    close(): number {
      const left = carried
      carried = 0
      return left
    },
  }
}

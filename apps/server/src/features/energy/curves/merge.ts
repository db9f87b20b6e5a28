import { MISSING, type Step } from '@voisol/energy/series'
import type { DayReadings } from '../../../core/readings.ts'
import { CORRECTED_MARK, DOUBTFUL_MARK, ESTIMATED_MARK, getMarkAt, normalizeMarks, RAW_MARK } from './day.ts'

export const getCommonStepOfTwo = (a: number, b: number): Step => (b === 0 ? (a as Step) : getCommonStepOfTwo(b, a % b)) // divisors of steps are steps

/** The same day at a finer step: each mean power applies to the parts of its step. */
export function refineReadings(readings: DayReadings, step: Step): DayReadings {
  if (readings.step === step) return readings
  const parts = readings.step / step
  const watts = new Int32Array(readings.watts.length * parts)
  const marks = new Uint8Array(watts.length)
  for (let at = 0; at < watts.length; at++) {
    const whole = Math.floor(at / parts)
    watts[at] = readings.watts[whole] ?? MISSING
    marks[at] = getMarkAt(readings, whole)
  }
  return { step, watts, marks, quality: readings.quality }
}

/** A missing, estimated or doubtful value is replaced by the next one received. */
const isReplaceableMark = (mark: number) => mark === 0 || mark === ESTIMATED_MARK || mark === DOUBTFUL_MARK

/** A raw value that replaces another measured one is a correction. */
function getMergedMark(before: number, mark: number, sameValue: boolean): number {
  if (mark !== RAW_MARK || isReplaceableMark(before)) return mark
  return sameValue ? before : CORRECTED_MARK
}

const hasSameWatts = (a: Int32Array, b: Int32Array) =>
  a.length === b.length &&
  Buffer.compare(
    Buffer.from(a.buffer, a.byteOffset, a.byteLength),
    Buffer.from(b.buffer, b.byteOffset, b.byteLength),
  ) === 0

/** The mean of finer steps over one coarse step; MISSING unless all are measured. */
function computeKnownMean(known: DayReadings, from: number, parts: number): number {
  let sum = 0
  for (let at = from; at < from + parts; at++) {
    const mark = getMarkAt(known, at)
    if (isReplaceableMark(mark)) return MISSING
    sum += known.watts[at] ?? 0
  }
  return Math.round(sum / parts)
}

/** An hourly value equal to the mean of known quarter-hours must not replace them. */
function removeRepeatedMeans(known: DayReadings, news: DayReadings): DayReadings {
  const parts = news.step / known.step
  if (parts <= 1 || !Number.isInteger(parts)) return news
  const watts = news.watts.map((value, at) => (value === computeKnownMean(known, at * parts, parts) ? MISSING : value))
  return { ...news, watts }
}

/** Fast path for a file that arrives twice, by far the most common case. */
const isPlainlyEqual = (known: DayReadings, news: DayReadings) =>
  known.step === news.step &&
  !known.marks &&
  !news.marks &&
  (known.quality === news.quality || (known.quality === CORRECTED_MARK && news.quality === RAW_MARK)) &&
  hasSameWatts(known.watts, news.watts)

/**
 * The day after merging `news`: its values replace known ones, and missing ones keep the known value. Null when nothing
 * is new.
 */
export function mergeReadings(known: DayReadings, news: DayReadings): DayReadings | null {
  if (isPlainlyEqual(known, news)) return null
  const step = getCommonStepOfTwo(known.step, news.step)
  const before = refineReadings(known, step)
  const after = refineReadings(removeRepeatedMeans(known, news), step)
  if (before.watts.length !== after.watts.length) throw new RangeError('two lengths of one day')
  const watts = Int32Array.from(before.watts)
  const marks = Uint8Array.from(watts, (_, at) => getMarkAt(before, at))
  let changed = false
  for (let at = 0; at < watts.length; at++) {
    const value = after.watts[at] ?? MISSING
    if (value < 0) continue
    const old = marks[at] ?? 0
    const mark = getMergedMark(old, getMarkAt(after, at), value === watts[at])
    if (value === watts[at] && mark === old) continue
    watts[at] = value
    marks[at] = mark
    changed = true
  }
  return changed ? normalizeMarks({ step, watts, marks, quality: RAW_MARK }) : null
}

/** Whether a measured value changes: missing, estimated or doubtful ones can be replaced without consent. */
export function overwritesMeasured(known: DayReadings, next: DayReadings): boolean {
  const before = refineReadings(known, getCommonStepOfTwo(known.step, next.step))
  const after = refineReadings(next, before.step)
  return before.watts.some((value, at) => !isReplaceableMark(getMarkAt(before, at)) && value !== after.watts[at])
}

import { setImmediate } from 'node:timers/promises'
import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step } from '@voisol/energy/series'
import { loadFirstRetainedDay } from '../../../core/company-state.ts'
import type { DayReadings, PointDayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { CORRECTED_MARK, DOUBTFUL_MARK, ESTIMATED_MARK, getMarkAt, normalizeMarks, RAW_MARK } from './curve-day.ts'
import { copyCurveDay, forEachCurveDay, type StoredCurveDay } from './curve-day-reader.ts'

/** The result for a day: `next` is the merged day, null when nothing is new. */
export type PlannedDay = { row: PointDayReadings; current: StoredCurveDay | undefined; next: DayReadings | null }

const DAYS_PER_CHUNK = 4096

function requireConsistentLength({ day, step, watts, marks }: PointDayReadings, lengths: Map<string, number>): void {
  const minutes = lengths.get(day) ?? minutesOfDay(day)
  lengths.set(day, minutes)
  if (watts.length * step !== minutes) throw new RangeError(`${watts.length} steps of ${step} min on ${day}`)
  if (marks && marks.length !== watts.length) throw new RangeError(`${marks.length} marks for ${watts.length} steps`)
}

/** One row per point and day, sorted; a later row is merged over an earlier one. */
function sortAndMergeRows(rows: PointDayReadings[]): PointDayReadings[] {
  const sorted = rows.toSorted((a, b) =>
    a.pointId === b.pointId ? (a.day < b.day ? -1 : a.day > b.day ? 1 : 0) : a.pointId < b.pointId ? -1 : 1,
  )
  const mergedRows: PointDayReadings[] = []
  const lengths = new Map<string, number>()
  for (const row of sorted) {
    requireConsistentLength(row, lengths)
    const last = mergedRows.at(-1)
    if (last?.pointId !== row.pointId || last.day !== row.day) mergedRows.push(row)
    else mergedRows[mergedRows.length - 1] = { ...last, ...mergeReadings(last, row) }
  }
  return mergedRows
}

/** Compares days with the stored ones, a few thousand at a time. Writes nothing. */
export async function* planCurveDays(
  db: Db,
  companyId: number,
  rows: PointDayReadings[],
): AsyncGenerator<PlannedDay[]> {
  const arranged = sortAndMergeRows(rows)
  const before = await loadFirstRetainedDay(db, companyId)
  for (let at = 0; at < arranged.length; at += DAYS_PER_CHUNK) {
    const chunk = arranged.slice(at, at + DAYS_PER_CHUNK)
    const known = await loadCurrentDays(db, companyId, chunk)
    yield chunk.map((row) => planDay(row, known.get(row.pointId)?.get(row.day), before))
    // Lets other requests run during a long file.
    await setImmediate()
  }
}

function planDay(row: PointDayReadings, current: StoredCurveDay | undefined, before: string | null): PlannedDay {
  // Steps older than the retention period were deleted and only sums remain: a partial day would pass for the whole.
  if (before !== null && row.day < before) return { row, current, next: null }
  if (current) return { row, current, next: mergeReadings(current, row) }
  const empty = row.watts.every((value) => value < 0)
  return { row, current, next: empty ? null : normalizeMarks(row) }
}

/** The stored days of these rows, by point and day. */
async function loadCurrentDays(
  db: Db,
  companyId: number,
  rows: PointDayReadings[],
): Promise<Map<string, Map<string, StoredCurveDay>>> {
  const found = new Map<string, Map<string, StoredCurveDay>>()
  const days = rows.map(({ day }) => day)
  const [from, last] = [days.reduce(minDay), days.reduce(maxDay)]
  for (const { pointId } of rows) if (!found.has(pointId)) found.set(pointId, new Map())
  await forEachCurveDay(db, { companyId, pointIds: [...found.keys()], from, to: addDays(last, 1) }, (stored) => {
    found.get(stored.pointId)?.set(stored.day, copyCurveDay(stored))
  })
  return found
}

const minDay = (a: string, b: string) => (a < b ? a : b)
const maxDay = (a: string, b: string) => (a > b ? a : b)

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

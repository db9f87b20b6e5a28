import { setImmediate } from 'node:timers/promises'
import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import type { DayReadings, PointDayReadings } from '../../../core/readings.ts'
import { loadFirstRetainedDay } from '../../../core/retired.ts'
import type { Db } from '../../../db/client.ts'
import { normalizeMarks } from './day.ts'
import { copyCurveDay, forEachCurveDay, type StoredCurveDay } from './day-reader.ts'
import { mergeReadings } from './merge.ts'

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

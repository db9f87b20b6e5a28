import { setImmediate } from 'node:timers/promises'
import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import type { DayRow, Readings } from '../../../core/readings.ts'
import { retiredBefore } from '../../../core/retired.ts'
import type { Db } from '../../../db/client.ts'
import { tidyMarks } from './day.ts'
import { eachDay, kept, type StoredDay } from './day-reader.ts'
import { mergeDay } from './merge.ts'

/** What becomes of a day: `next` is what it will be, null where it says nothing new. */
export type PlannedDay = { row: DayRow; current: StoredDay | undefined; next: Readings | null }

const CHUNK = 4096

function check({ day, step, watts, marks }: DayRow, lengths: Map<string, number>): void {
  const minutes = lengths.get(day) ?? minutesOfDay(day)
  lengths.set(day, minutes)
  if (watts.length * step !== minutes) throw new RangeError(`${watts.length} steps of ${step} min on ${day}`)
  if (marks && marks.length !== watts.length) throw new RangeError(`${marks.length} marks for ${watts.length} steps`)
}

/** One row for each point and day, by point and day; of two rows the later one is laid over the earlier. */
function arrange(rows: DayRow[]): DayRow[] {
  const sorted = rows.toSorted((a, b) =>
    a.pointId === b.pointId ? (a.day < b.day ? -1 : a.day > b.day ? 1 : 0) : a.pointId < b.pointId ? -1 : 1,
  )
  const kept: DayRow[] = []
  const lengths = new Map<string, number>()
  for (const row of sorted) {
    check(row, lengths)
    const last = kept.at(-1)
    if (last?.pointId !== row.pointId || last.day !== row.day) kept.push(row)
    else kept[kept.length - 1] = { ...last, ...mergeDay(last, row) }
  }
  return kept
}

/** Compares days with what is known of them, some thousands at a time. Nothing is written. */
export async function* planDays(db: Db, companyId: number, rows: DayRow[]): AsyncGenerator<PlannedDay[]> {
  const arranged = arrange(rows)
  const before = await retiredBefore(db, companyId)
  for (let at = 0; at < arranged.length; at += CHUNK) {
    const chunk = arranged.slice(at, at + CHUNK)
    const known = await currentDays(db, companyId, chunk)
    yield chunk.map((row) => planDay(row, known.get(row.pointId)?.get(row.day), before))
    // A long file leaves the others their turn.
    await setImmediate()
  }
}

function planDay(row: DayRow, current: StoredDay | undefined, before: string | null): PlannedDay {
  // Of a day whose steps were kept long enough the sums alone stand: laid over them, a part would pass for the whole.
  if (before !== null && row.day < before) return { row, current, next: null }
  if (current) return { row, current, next: mergeDay(current, row) }
  const empty = row.watts.every((value) => value < 0)
  return { row, current, next: empty ? null : tidyMarks(row) }
}

/** What is known over the days of these rows, by point and day. */
async function currentDays(db: Db, companyId: number, rows: DayRow[]): Promise<Map<string, Map<string, StoredDay>>> {
  const found = new Map<string, Map<string, StoredDay>>()
  const days = rows.map(({ day }) => day)
  const [from, last] = [days.reduce(least), days.reduce(greatest)]
  for (const { pointId } of rows) if (!found.has(pointId)) found.set(pointId, new Map())
  await eachDay(db, { companyId, pointIds: [...found.keys()], from, to: addDays(last, 1) }, (stored) => {
    found.get(stored.pointId)?.set(stored.day, kept(stored))
  })
  return found
}

const least = (a: string, b: string) => (a < b ? a : b)
const greatest = (a: string, b: string) => (a > b ? a : b)

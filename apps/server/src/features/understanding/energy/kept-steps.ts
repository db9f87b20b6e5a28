import { dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { staleSums } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { type Columns, worsen } from './buckets.ts'
import { column } from './columns.ts'
import type { Seat } from './crews.ts'
import { clip, type Spans, without } from './fresh.ts'
import { EVERY_PART } from './hour-pack.ts'
import { addKeptHours, readHours } from './kept-hours.ts'
import type { Period } from './period.ts'
import { cut, operationsOf } from './pieces.ts'
import { membersOfOperations } from './scope.ts'
import { addStepped, type Frame, finestStep, frameOf } from './step-columns.ts'
import { addSteps, isSeen } from './step-pack.ts'

type Kept = { operationId: string; day: string; step: number; packed: Buffer }

/**
 * Quarter hours and hours of whole operations, from what is kept of each; from the curves where that is not in step.
 * Of hours the columns that are asked for alone.
 */
export async function keptSteps(
  db: Db,
  companyId: number,
  crews: Seat[],
  period: Period,
  granularity: '15min' | 'hour',
  parts = EVERY_PART,
): Promise<Columns> {
  const ids = operationsOf(crews)
  const step = finestStep(crews)
  const hourly = granularity === 'hour'
  const frame = frameOf(crews, period, step, hourly ? 60 : step)
  const stale = await staleSums(db, companyId, ids)
  // Steps of another length do not add up: a value of theirs is known only where all its parts are.
  const apart = ids.filter((id) => finestStep(crews.filter((crew) => crew.operationId === id)) !== step)
  for (const id of apart) stale.set(id, [period])
  const hours = hourly ? await readHours(db, companyId, ids, period, parts) : []
  const steps = hourly ? [] : await readKept(db, companyId, ids, period, stale)
  for (const { operationId, step: own } of [...hours, ...steps]) if (own !== step) stale.set(operationId, [period])
  const wanted = wantedDays(frame, crews, period, stale)
  if (hourly) addKeptHours(frame, wanted, hours)
  else addKept(frame, wanted, steps)
  const old = [...stale.keys()]
  if (old.length) {
    const members = await membersOfOperations(db, companyId, old)
    await addStepped(db, companyId, members, period, frame, (pieces) => clip(pieces, stale))
  }
  return frame.columns
}

async function readKept(db: Db, companyId: number, ids: string[], period: Period, stale: Spans): Promise<Kept[]> {
  const ranges = ids.flatMap((id) => without(period, stale.get(id) ?? []).map((range) => ({ id, ...range })))
  if (!ranges.length) return []
  const { rows } = await db.execute<Kept>(sql`
    select s.operation_id as "operationId", s.day::text as day, s.step, s.packed
      from unnest(${column(ranges.map(({ id }) => id))}::uuid[], ${column(ranges.map(({ from }) => from))}::date[],
                  ${column(ranges.map(({ to }) => to))}::date[]) m(operation_id, lo, hi)
      join operation_steps s on s.company_id = ${companyId} and s.operation_id = m.operation_id
       and s.day >= m.lo and s.day < m.hi`)
  return rows
}

/** The days of the frame on which somebody of an operation takes part and its sums are in step. */
function wantedDays({ days }: Frame, crews: Seat[], period: Period, stale: Spans): Map<string, Uint8Array> {
  const indexOf = new Map(days.map((day, at) => [day, at]))
  const wanted = new Map<string, Uint8Array>()
  for (const { operationId, lo, hi } of cut(crews, period, () => 0)) {
    const own = wanted.get(operationId) ?? new Uint8Array(days.length)
    wanted.set(operationId, own)
    for (const { from, to } of without({ from: lo, to: hi }, stale.get(operationId) ?? []))
      own.fill(1, indexOf.get(from), indexOf.get(to) ?? days.length)
  }
  return wanted
}

/** A day on which somebody takes part and of which nothing is kept is a day that lacks. */
function addKept(frame: Frame, wanted: Map<string, Uint8Array>, rows: Kept[]): void {
  const found = new Map(rows.map((row) => [`${row.operationId} ${row.day}`, row]))
  for (const [operationId, own] of wanted)
    for (const [at, day] of frame.days.entries())
      if (own[at]) addDay(frame, day, found.get(`${operationId} ${day}`)?.packed)
}

function addDay({ columns, origin, step, parts }: Frame, day: string, packed: Buffer | undefined): void {
  const first = (dayStart(day) - origin) / step
  const length = minutesOfDay(day) / step
  const marks = packed ? addSteps(packed, length, columns, first, parts) : new Uint8Array(length)
  for (let at = 0; at < length; at++) {
    const mark = marks[at]
    if (isSeen(mark)) worsen(columns.marks, Math.floor((first + at) / parts), mark)
  }
}

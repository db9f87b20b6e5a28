import { dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { staleSums } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { type Columns, worsen } from './buckets.ts'
import { column } from './columns.ts'
import type { Seat } from './crews.ts'
import { clip, type Spans, without } from './fresh.ts'
import type { Period } from './period.ts'
import { cut, operationsOf } from './pieces.ts'
import { membersOfOperations } from './scope.ts'
import { addStepped, type Frame, finestStep, frameOf } from './step-columns.ts'
import { addSteps, isSeen } from './step-pack.ts'

type Kept = { operationId: string; day: string; step: number; packed: Buffer }

/** Quarter hours and hours of whole operations, from what is kept of each; from the curves where that is not in step. */
export async function keptSteps(
  db: Db,
  companyId: number,
  crews: Seat[],
  period: Period,
  granularity: '15min' | 'hour',
): Promise<Columns> {
  const ids = operationsOf(crews)
  const step = finestStep(crews)
  const frame = frameOf(crews, period, step, granularity === 'hour' ? 60 : step)
  const stale = await staleSums(db, companyId, ids)
  // Steps of another length do not add up: a value of theirs is known only where all its parts are.
  const apart = ids.filter((id) => finestStep(crews.filter((crew) => crew.operationId === id)) !== step)
  for (const id of apart) stale.set(id, [period])
  const rows = await readKept(db, companyId, ids, period, stale)
  for (const { operationId, step: own } of rows) if (own !== step) stale.set(operationId, [period])
  addKept(frame, crews, period, stale, rows)
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

/** A day on which somebody takes part and of which nothing is kept is a day that lacks. */
function addKept(frame: Frame, crews: Seat[], period: Period, stale: Spans, rows: Kept[]): void {
  const found = new Map(rows.map((row) => [`${row.operationId} ${row.day}`, row]))
  const days = new Map<string, Set<string>>()
  for (const { operationId, lo, hi } of cut(crews, period, () => 0)) {
    const own = days.get(operationId) ?? new Set<string>()
    days.set(operationId, own)
    for (const range of without({ from: lo, to: hi }, stale.get(operationId) ?? []))
      for (const day of frame.days) if (day >= range.from && day < range.to) own.add(day)
  }
  for (const [operationId, own] of days)
    for (const day of own) addDay(frame, day, found.get(`${operationId} ${day}`)?.packed)
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

import { addDays, dayStart, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { applyWorstMark } from './buckets.ts'
import { toSqlArray } from './columns.ts'
import { addPackedHours, MARKS_PART } from './hour-pack.ts'
import { getDayBit } from './keep-hours.ts'
import type { Period } from './period.ts'
import type { StepFrame } from './step-columns.ts'
import { hasMark } from './step-pack.ts'

export type HourRollupPart = {
  operationId: string
  month: string
  part: number
  step: number
  mask: number
  packed: Buffer
}

/** The requested columns of the months in the period; the marks tell which days a month includes. */
export async function readHourRollups(
  db: Db,
  companyId: number,
  ids: string[],
  { from, to }: Period,
  parts: number[],
): Promise<HourRollupPart[]> {
  const { rows } = await db.execute<HourRollupPart>(sql`
    select operation_id as "operationId", month::text as month, part::int as part, step::int as step, mask, packed
      from operation_hours where company_id = ${companyId} and operation_id = any(${toSqlArray(ids)}::uuid[])
       and month >= ${monthOf(from)} and month < ${to} and part = any(${toSqlArray([...parts, MARKS_PART])}::smallint[])`)
  return rows
}

const MINUTES_PER_HOUR = 60

/** Adds the requested days of each operation; a day without rollup counts as missing. */
export function addHourRollups(frame: StepFrame, wanted: Map<string, Uint8Array>, rows: HourRollupPart[]): void {
  const rollupsByMonth = Map.groupBy(rows, ({ operationId, month }) => `${operationId} ${month}`)
  const last = frame.days.at(-1)
  if (last === undefined) return
  const starts = [...frame.days, addDays(last, 1)].map((day) => (dayStart(day) - frame.origin) / MINUTES_PER_HOUR)
  const months = [...Map.groupBy(frame.days.keys(), (at) => monthOf(frame.days[at] ?? last))]
  for (const [operationId, days] of wanted)
    for (const [month, own] of months) {
      const parts = rollupsByMonth.get(`${operationId} ${month}`) ?? []
      const mask = parts[0]?.mask ?? 0
      const isKept = (at: number) => (mask & getDayBit(frame.days[at] ?? last)) !== 0
      const wantedDays = own.filter((at) => days[at])
      for (const at of wantedDays) if (!isKept(at)) markAsMissing(frame, starts[at] ?? 0, starts[at + 1] ?? 0)
      const shift = (dayStart(month) - frame.origin) / MINUTES_PER_HOUR
      for (const [first, end] of groupConsecutiveDays(wantedDays.filter(isKept))) {
        const [from, to] = [starts[first] ?? 0, starts[end] ?? 0]
        for (const { part, packed } of parts)
          if (part === MARKS_PART) addHourMarks(frame, packed, from - shift, to - from, from)
          else addPackedHours(frame.columns, part, packed, from - shift, to - from, from)
      }
    }
}

/** Groups consecutive days as half-open ranges. */
function groupConsecutiveDays(days: number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const at of days) {
    const range = ranges.at(-1)
    if (range?.[1] === at) range[1] = at + 1
    else ranges.push([at, at + 1])
  }
  return ranges
}

function markAsMissing({ columns }: StepFrame, from: number, to: number): void {
  for (let at = from; at < to; at++) applyWorstMark(columns.marks, at, 0)
}

function addHourMarks({ columns }: StepFrame, packed: Buffer, from: number, count: number, to: number): void {
  for (let at = 0; at < count; at++) {
    const mark = packed[from + at]
    if (hasMark(mark)) applyWorstMark(columns.marks, to + at, mark)
  }
}

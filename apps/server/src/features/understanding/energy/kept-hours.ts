import { addDays, dayStart, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { worsen } from './buckets.ts'
import { column } from './columns.ts'
import { addHours, MARKS } from './hour-pack.ts'
import { bitOf } from './keep-hours.ts'
import type { Period } from './period.ts'
import type { Frame } from './step-columns.ts'
import { isSeen } from './step-pack.ts'

export type KeptHours = {
  operationId: string
  month: string
  part: number
  step: number
  mask: number
  packed: Buffer
}

/** The wanted columns of the months that the period touches; the marks say which days are in a month. */
export async function readHours(
  db: Db,
  companyId: number,
  ids: string[],
  { from, to }: Period,
  parts: number[],
): Promise<KeptHours[]> {
  const { rows } = await db.execute<KeptHours>(sql`
    select operation_id as "operationId", month::text as month, part::int as part, step::int as step, mask, packed
      from operation_hours where company_id = ${companyId} and operation_id = any(${column(ids)}::uuid[])
       and month >= ${monthOf(from)} and month < ${to} and part = any(${column([...parts, MARKS])}::smallint[])`)
  return rows
}

const HOUR = 60

/** Adds the wanted days of each operation; one of which nothing is kept is a day that lacks. */
export function addKeptHours(frame: Frame, wanted: Map<string, Uint8Array>, rows: KeptHours[]): void {
  const kept = Map.groupBy(rows, ({ operationId, month }) => `${operationId} ${month}`)
  const last = frame.days.at(-1)
  if (last === undefined) return
  const starts = [...frame.days, addDays(last, 1)].map((day) => (dayStart(day) - frame.origin) / HOUR)
  const months = [...Map.groupBy(frame.days.keys(), (at) => monthOf(frame.days[at] ?? last))]
  for (const [operationId, days] of wanted)
    for (const [month, own] of months) {
      const parts = kept.get(`${operationId} ${month}`) ?? []
      const mask = parts[0]?.mask ?? 0
      const isKept = (at: number) => (mask & bitOf(frame.days[at] ?? last)) !== 0
      const asked = own.filter((at) => days[at])
      for (const at of asked) if (!isKept(at)) lack(frame, starts[at] ?? 0, starts[at + 1] ?? 0)
      const shift = (dayStart(month) - frame.origin) / HOUR
      for (const [first, end] of inRow(asked.filter(isKept))) {
        const [from, to] = [starts[first] ?? 0, starts[end] ?? 0]
        for (const { part, packed } of parts)
          if (part === MARKS) addMarks(frame, packed, from - shift, to - from, from)
          else addHours(frame.columns, part, packed, from - shift, to - from, from)
      }
    }
}

/** Days that follow one another, as the first and the one after the last. */
function inRow(days: number[]): [number, number][] {
  const rows: [number, number][] = []
  for (const at of days) {
    const row = rows.at(-1)
    if (row?.[1] === at) row[1] = at + 1
    else rows.push([at, at + 1])
  }
  return rows
}

function lack({ columns }: Frame, from: number, to: number): void {
  for (let at = from; at < to; at++) worsen(columns.marks, at, 0)
}

function addMarks({ columns }: Frame, packed: Buffer, from: number, count: number, to: number): void {
  for (let at = 0; at < count; at++) {
    const mark = packed[from + at]
    if (isSeen(mark)) worsen(columns.marks, to + at, mark)
  }
}

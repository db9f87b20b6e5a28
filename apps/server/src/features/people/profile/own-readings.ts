import { dayStart, localTime, offsetAt } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type Cell, writeCsv } from '../../../files/csv.ts'

export type Seat = { companyId: number; pointId: string; startsOn: string; endsOn: string | null }
type Row = { day: string; step: number; watts: Buffer; marks: Buffer | null; quality: number }

const QUALITIES = ['manquant', 'mesuré', 'corrigé', 'estimé', 'douteux']
const HEADER = ['Début (heure de Paris)', 'Heure légale', 'Puissance moyenne (W)', 'Qualité']
const MISSING = -1
const INT_BYTES = 4
const two = (value: number) => String(value).padStart(2, '0')

function stamp(minute: number): string[] {
  const { day, minuteOfDay } = localTime(minute)
  const clock = `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
  return [
    `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)} ${clock}`,
    offsetAt(minute) === 120 ? 'heure d’été' : 'heure d’hiver',
  ]
}

/** A step of which nothing is known is an empty cell, never a zero. */
const rowsOf = ({ day, step, watts, marks, quality }: Row): Cell[][] =>
  Array.from({ length: watts.length / INT_BYTES }, (_, at) => {
    const value = watts.readInt32LE(at * INT_BYTES)
    const known = value !== MISSING
    return [
      ...stamp(dayStart(day) + at * step),
      known ? value : null,
      QUALITIES[known ? (marks?.[at] ?? quality) : 0] ?? '',
    ]
  })

/** The readings of a meter in the days somebody held it there: what came before and after is another's. */
export async function readingsFile(db: Db, seats: Seat[]): Promise<string | null> {
  const found: Cell[][] = []
  for (const { companyId, pointId, startsOn, endsOn } of seats) {
    const { rows } = await db.execute<Row>(sql`
      select day::text as day, step, watts, marks, quality from curve_days
       where company_id = ${companyId} and point_id = ${pointId} and superseded_at is null
         and day >= ${startsOn} and (${endsOn}::date is null or day < ${endsOn}::date) order by day`)
    found.push(...rows.flatMap(rowsOf))
  }
  return found.length ? writeCsv(HEADER, found) : null
}

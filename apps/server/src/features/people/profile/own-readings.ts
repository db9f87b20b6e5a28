import { dayStart, localTime, offsetAt } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'

export type MeterPeriod = { companyId: number; pointId: string; startsOn: string; endsOn: string | null }
type CurveDayRow = { day: string; step: number; watts: Buffer; marks: Buffer | null; quality: number }

const QUALITY_LABELS = ['manquant', 'mesuré', 'corrigé', 'estimé', 'douteux']
const HEADER = ['Début (heure de Paris)', 'Heure légale', 'Puissance moyenne (W)', 'Qualité']
const MISSING_VALUE = -1
const INT_BYTES = 4
const padTwo = (value: number) => String(value).padStart(2, '0')

function formatStepStart(minute: number): string[] {
  const { day, minuteOfDay } = localTime(minute)
  const clock = `${padTwo(Math.floor(minuteOfDay / 60))}:${padTwo(minuteOfDay % 60)}`
  return [
    `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)} ${clock}`,
    offsetAt(minute) === 120 ? 'heure d’été' : 'heure d’hiver',
  ]
}

/** A missing step is an empty cell, never a zero. */
const toCsvRows = ({ day, step, watts, marks, quality }: CurveDayRow): SpreadsheetCell[][] =>
  Array.from({ length: watts.length / INT_BYTES }, (_, at) => {
    const value = watts.readInt32LE(at * INT_BYTES)
    const known = value !== MISSING_VALUE
    return [
      ...formatStepStart(dayStart(day) + at * step),
      known ? value : null,
      QUALITY_LABELS[known ? (marks?.[at] ?? quality) : 0] ?? '',
    ]
  })

/** The readings of a meter during the days on which the person held it: other days belong to somebody else. */
export async function loadReadingsCsv(db: Db, periods: MeterPeriod[]): Promise<string | null> {
  const found: SpreadsheetCell[][] = []
  for (const { companyId, pointId, startsOn, endsOn } of periods) {
    const { rows } = await db.execute<CurveDayRow>(sql`
      select day::text as day, step, watts, marks, quality from curve_days
       where company_id = ${companyId} and point_id = ${pointId} and superseded_at is null
         and day >= ${startsOn} and (${endsOn}::date is null or day < ${endsOn}::date) order by day`)
    found.push(...rows.flatMap(toCsvRows))
  }
  return found.length ? writeCsv(HEADER, found) : null
}

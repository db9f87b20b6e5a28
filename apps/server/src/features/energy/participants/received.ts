import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'

/** A point and the days that may be shown of it. */
export type ReadingRange = { pointId: string; from: string | null; to: string | null }
type LastDayRow = { point_id: string; day: string; step: number; watts: Buffer }

const MISSING = -1

/** The end of the last known step of a day. */
function getEndOfReadings({ day, step, watts }: LastDayRow): string | null {
  let steps = watts.length / 4
  while (steps > 0 && watts.readInt32LE((steps - 1) * 4) === MISSING) steps--
  if (!steps) return null
  const midnight = Temporal.PlainDate.from(day).toZonedDateTime('Europe/Paris')
  return midnight
    .add({ minutes: steps * step })
    .toInstant()
    .toString()
}

/** The end of known readings by point, from the last day of each. */
export async function loadReceivedUntilByPoint(
  db: Db,
  companyId: number,
  readings: ReadingRange[],
): Promise<Map<string, string>> {
  if (!readings.length) return new Map()
  const { rows } = await db.execute<LastDayRow>(sql`
    select w."pointId" as point_id, d.day::text as day, d.step, d.watts
      from jsonb_to_recordset(${JSON.stringify(readings)}::jsonb) as w("pointId" uuid, "from" date, "to" date)
           cross join lateral (
             select c.day, c.step, c.watts from curve_days c
              where c.company_id = ${companyId} and c.point_id = w."pointId" and c.superseded_at is null and c.present > 0
                and (w."from" is null or c.day >= w."from") and (w."to" is null or c.day < w."to")
              order by c.day desc limit 1) d`)
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const until = getEndOfReadings(row)
      return until ? [[row.point_id, until]] : []
    }),
  )
}

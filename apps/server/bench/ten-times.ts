import { sql } from 'drizzle-orm'
import { openDatabase } from '../src/db/client.ts'
import { fill, MONTH } from './analytics-fill.ts'
import { signedIn } from './visitor.ts'

const POINTS_OF_AN_OPERATION = 33
/** Half-hours of a day that is like every other, four bytes each. */
const STEPS = 48
const WATTS = Buffer.from(Int32Array.from({ length: STEPS }, (_, at) => 200 + ((at * 131) % 900)).buffer)
const DAY_WATT_MINUTES = 720_000

/**
 * Beside the demo a company with so many times its points, each with as many days of readings as the demo has, and somebody
 * signed in there. The planner is told of them, as autovacuum would.
 */
export async function addTimesTheDemo(url: string, times: number) {
  const db = openDatabase(url, 2)
  try {
    const { rows } = await db.execute<{ points: number; from: string; to: string }>(sql`
      select (select count(*)::int from points) as points, min(day)::text as from, max(day)::text as to from curve_days`)
    const { points = 0, from = '', to = '' } = rows[0] ?? {}
    const tidy = async () => void (await db.$client.query('vacuum analyze'))
    const companyId = await fill(db, points * times, tidy, POINTS_OF_AN_OPERATION)
    await db.execute(sql`
      insert into curve_days (company_id, point_id, day, version, step, watts, quality, present, expected, energy, peak, source, received_at)
      select ${companyId}, p.id, d.at::date, 1, 30, ${WATTS}, 1, ${STEPS}, ${STEPS}, ${DAY_WATT_MINUTES}, 1100, 'model', now()
        from points p cross join generate_series(${from}::date, ${to}::date, interval '1 day') d(at)
       where p.company_id = ${companyId} and not (d.at >= ${MONTH.from}::date and d.at < ${MONTH.to}::date)`)
    await tidy()
    const sizes = await db.execute<{ points: number; days: number; bytes: string }>(sql`
      select (select count(*)::int from points) as points, (select count(*)::int from curve_days) as days,
             pg_database_size(current_database())::text as bytes`)
    return { token: await signedIn(db, companyId), demoPoints: points, ...sizes.rows[0] }
  } finally {
    await db.$client.end()
  }
}

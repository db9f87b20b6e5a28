import type { Run } from '@voisol/energy/forecast'
import type { Place } from '@voisol/energy/model/climate'
import { sql } from 'drizzle-orm'
import { latestWeather, tenths, type WeatherRun, type WeatherValues } from '../../../core/weather.ts'
import type { Db } from '../../../db/client.ts'

/** Fields of a run that the recipe knows; direct light follows from the two others. */
const FIELDS = {
  ghi: 'radiation',
  dhi: 'diffuse',
  cloud: 'cloud',
  temperature: 'temperature',
  humidity: 'humidity',
  wind: 'wind',
  snow: 'snow',
  precipitation: 'precipitation',
} as const

const minuteOf = (instant: Date) => Math.floor(instant.getTime() / 60_000)

export function runOf({ issuedAt, values }: WeatherRun): Run {
  const column = (name: keyof Omit<WeatherValues, 'from'>) =>
    Float64Array.from(values[name], (value) => value ?? Number.NaN)
  const fields = Object.entries(FIELDS).map(([name, theirs]) => [name, column(theirs)] as const)
  return {
    issuedAt: minuteOf(issuedAt),
    startsAt: minuteOf(new Date(values.from)),
    step: 60,
    values: Object.fromEntries(fields),
  }
}

/** As far back as is learnt from. */
const LEARNT_DAYS = 400

/** Of each day the first run, as old when it is used as those that forecasts are made with; up to an instant. */
export async function runsBefore(db: Db, companyId: number, place: Place, until: Date): Promise<Run[]> {
  const from = new Date(until.getTime() - LEARNT_DAYS * 86_400_000)
  const { rows } = await db.execute<{ issuedAt: Date; values: WeatherValues }>(sql`
    select distinct on ((issued_at at time zone 'UTC')::date) issued_at as "issuedAt", values
      from weather_runs
     where company_id = ${companyId} and latitude = ${tenths(place.latitude)} and longitude = ${tenths(place.longitude)}
       and issued_at >= ${from.toISOString()} and issued_at < ${until.toISOString()}
     order by (issued_at at time zone 'UTC')::date, issued_at`)
  return rows.map(({ issuedAt, values }) => runOf({ issuedAt: new Date(issuedAt), values }))
}

/** What was announced for the place when a forecast is issued, unless it is a day old. */
export async function runAt(db: Db, companyId: number, place: Place, at: Date): Promise<Run | null> {
  const run = await latestWeather(db, companyId, place, at)
  return run ? runOf(run) : null
}

import type { IssuedWeather } from '@voisol/energy/forecast'
import type { Coordinates } from '@voisol/energy/model/climate'
import { sql } from 'drizzle-orm'
import { findLatestWeather, toTenths, type WeatherRun, type WeatherValues } from '../../../core/weather.ts'
import type { Db } from '../../../db/client.ts'

/** Fields of a weather run used here; direct radiation follows from the first two. */
const RUN_FIELDS = {
  ghi: 'radiation',
  dhi: 'diffuse',
  cloud: 'cloud',
  temperature: 'temperature',
  humidity: 'humidity',
  wind: 'wind',
  snow: 'snow',
  precipitation: 'precipitation',
} as const

const toMinute = (instant: Date) => Math.floor(instant.getTime() / 60_000)

export function toWeatherRun({ issuedAt, values }: WeatherRun): IssuedWeather {
  const column = (name: keyof Omit<WeatherValues, 'from'>) =>
    Float64Array.from(values[name], (value) => value ?? Number.NaN)
  const fields = Object.entries(RUN_FIELDS).map(([name, theirs]) => [name, column(theirs)] as const)
  return {
    issuedAt: toMinute(issuedAt),
    startsAt: toMinute(new Date(values.from)),
    step: 60,
    values: Object.fromEntries(fields),
  }
}

/** Days of weather used to fit models. */
const WEATHER_HISTORY_DAYS = 400

/** The first run of each day up to an instant, which is as old when used as in real forecasts. */
export async function listWeatherRunsBefore(
  db: Db,
  companyId: number,
  place: Coordinates,
  until: Date,
): Promise<IssuedWeather[]> {
  const from = new Date(until.getTime() - WEATHER_HISTORY_DAYS * 86_400_000)
  const { rows } = await db.execute<{ issuedAt: Date; values: WeatherValues }>(sql`
    select distinct on ((issued_at at time zone 'UTC')::date) issued_at as "issuedAt", values
      from weather_runs
     where company_id = ${companyId} and latitude = ${toTenths(place.latitude)} and longitude = ${toTenths(place.longitude)}
       and issued_at >= ${from.toISOString()} and issued_at < ${until.toISOString()}
     order by (issued_at at time zone 'UTC')::date, issued_at`)
  return rows.map(({ issuedAt, values }) => toWeatherRun({ issuedAt: new Date(issuedAt), values }))
}

/** The last weather forecast of the place at the time of issue, unless it is a day old. */
export async function findWeatherRunAt(
  db: Db,
  companyId: number,
  place: Coordinates,
  at: Date,
): Promise<IssuedWeather | null> {
  const run = await findLatestWeather(db, companyId, place, at)
  return run ? toWeatherRun(run) : null
}

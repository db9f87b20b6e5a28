import type { IssuedWeather } from '@voisol/energy/forecast'
import type { Coordinates } from '@voisol/energy/model/climate'
import { sql } from 'drizzle-orm'
import { findLatestWeather, toTenths, type WeatherRun, type WeatherValues } from '../../../core/weather.ts'
import type { Db } from '../../../db/client.ts'

/** Fields of a run that the recipe knows; direct light follows from the two others. */
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

/** As far back as is learnt from. */
const WEATHER_HISTORY_DAYS = 400

/** Of each day the first run, as old when it is used as those that forecasts are made with; up to an instant. */
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

/** What was announced for the place when a forecast is issued, unless it is a day old. */
export async function findWeatherRunAt(
  db: Db,
  companyId: number,
  place: Coordinates,
  at: Date,
): Promise<IssuedWeather | null> {
  const run = await findLatestWeather(db, companyId, place, at)
  return run ? toWeatherRun(run) : null
}

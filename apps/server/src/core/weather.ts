import { and, desc, eq, gte, lte } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { weatherRuns } from '../db/schema/index.ts'

/** By hour from `from`, UTC: watts per square metre, percent, degrees, kilometres per hour, centimetres, millimetres. */
export type WeatherValues = {
  from: string
  radiation: (number | null)[]
  direct: (number | null)[]
  diffuse: (number | null)[]
  cloud: (number | null)[]
  temperature: (number | null)[]
  humidity: (number | null)[]
  wind: (number | null)[]
  snow: (number | null)[]
  precipitation: (number | null)[]
}
export type WeatherRun = { issuedAt: Date; values: WeatherValues }

/** Tenths of a degree, so that neighbours share one forecast. */
export const toTenths = (degrees: number) => Math.round(degrees * 10)
/** An older forecast is worse than history alone. */
const MAX_WEATHER_AGE_MS = 24 * 3_600_000

/** The newest forecast of a place known at a moment, unless too old. */
export async function findLatestWeather(
  db: Db,
  companyId: number,
  place: { latitude: number; longitude: number },
  now: Date,
): Promise<WeatherRun | undefined> {
  const [row] = await db
    .select()
    .from(weatherRuns)
    .where(
      and(
        eq(weatherRuns.companyId, companyId),
        eq(weatherRuns.latitude, toTenths(place.latitude)),
        eq(weatherRuns.longitude, toTenths(place.longitude)),
        gte(weatherRuns.issuedAt, new Date(now.getTime() - MAX_WEATHER_AGE_MS)),
        lte(weatherRuns.issuedAt, now),
      ),
    )
    .orderBy(desc(weatherRuns.issuedAt))
    .limit(1)
  return row && { issuedAt: row.issuedAt, values: row.values as WeatherValues } // written by readForecast alone
}

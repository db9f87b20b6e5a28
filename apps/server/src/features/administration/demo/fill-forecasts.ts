import { setImmediate } from 'node:timers/promises'
import { addDays, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { parseWeatherForecast, WEATHER_VARIABLES } from '../../../adapters/connections/weather-values.ts'
import { toTenths } from '../../../core/weather.ts'
import type { Db } from '../../../db/client.ts'
import { weatherRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { simulateForecast } from '../../../world/weather-run.ts'
import { issueForecasts, listIssuedDays, scoreForecasts } from '../../understanding/forecasts/forecasts.ts'

/** Days since the weather was connected, since full forecasts are kept, and since production forecasts are issued. */
const CONNECTED_DAYS = 400
const WEATHER_DAYS = 110
const ISSUED_DAYS = 45
const PLANT_DAYS = 22
const FORECAST_DAYS = 8
/** Small batches yield to other requests in between. */
const DAYS_PER_BATCH = 30
const NO_FAULTS = { nulls: false, missingHours: false }

type Place = { latitude: number; longitude: number }

async function loadStoredRunDays(db: Db, companyId: number, { latitude, longitude }: Place): Promise<Set<string>> {
  const { rows } = await db.execute<{ day: string }>(sql`
    select distinct (issued_at at time zone 'UTC')::date::text as day from weather_runs
     where company_id = ${companyId} and latitude = ${toTenths(latitude)} and longitude = ${toTenths(longitude)}`)
  return new Set(rows.map(({ day }) => day))
}

/**
 * The forecasts that the provider would have issued at midnight of each day, with an error that grows with the lead
 * time.
 */
async function fillWeather(db: Db, companyId: number, place: Place, today: string): Promise<void> {
  const storedDays = await loadStoredRunDays(db, companyId, place)
  const days = listDays(addDays(today, -CONNECTED_DAYS), addDays(today, 1)).filter((day) => !storedDays.has(day))
  const whole = addDays(today, -WEATHER_DAYS)
  const [latitude, longitude] = [toTenths(place.latitude), toTenths(place.longitude)]
  const asked = { latitude: latitude / 10, longitude: longitude / 10, hourly: WEATHER_VARIABLES }
  for (let at = 0; at < days.length; at += DAYS_PER_BATCH) {
    const rows = days.slice(at, at + DAYS_PER_BATCH).map((day) => {
      const issuedAt = new Date(`${day}T00:00:00Z`)
      // For older forecasts the day itself is enough: its temperature and its irradiance.
      const wanted = { ...asked, days: day < whole ? 1 : FORECAST_DAYS, now: issuedAt }
      const { values } = parseWeatherForecast(JSON.stringify(simulateForecast(wanted, NO_FAULTS)))
      return { companyId, latitude, longitude, issuedAt, values }
    })
    await db.insert(weatherRuns).values(rows).onConflictDoNothing()
    await setImmediate()
  }
}

const toMorning = (day: string) => new Date(`${day}T04:10:00Z`)

/** Fitting every model for each plant would take longer than building the rest of the demo. */
const QUICK_FIT = { only: 'weather', leads: [0, 1, 3, 6] } as const

/**
 * Issues the forecasts of each morning of the last weeks from the readings and the weather known by then; they are
 * marked as made later. The very first call also issues today's forecasts.
 */
export async function fillForecasts(
  deps: Deps,
  { companyId }: Actor,
  { values }: OperationPlan,
  today: string,
  signal?: AbortSignal,
): Promise<void> {
  const operation = { companyId, operationId: values.id }
  const first = addDays(today, -ISSUED_DAYS)
  const known = await listIssuedDays(deps.db, companyId, values.id, first)
  const past = listDays(first, today).map((day) => ({ day, issuedAt: toMorning(day), rebuilt: true }))
  const whens = known.size ? past : [...past, { day: today, issuedAt: new Date() }]
  const plantWhens = whens.slice(-PLANT_DAYS)
  await fillWeather(deps.db, companyId, values, today)
  await issueForecasts(deps, {
    ...operation,
    whens,
    plantWhens,
    fit: { ...QUICK_FIT, leads: [...QUICK_FIT.leads] },
    signal,
  })
  await scoreForecasts(deps, { ...operation, from: first, to: today })
}

import { setImmediate } from 'node:timers/promises'
import { addDays, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { readForecast, VARIABLES } from '../../../adapters/connections/weather-values.ts'
import { tenths } from '../../../core/weather.ts'
import type { Db } from '../../../db/client.ts'
import { weatherRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { forecastOf } from '../../../world/weather-run.ts'
import { issuedDays, issueFor, scoreDays } from '../../understanding/forecasts/forecasts.ts'

/** Since when the weather is connected, since when its runs are kept whole, and since when forecasts are issued, those of plants later. */
const CONNECTED_DAYS = 400
const WEATHER_DAYS = 110
const ISSUED_DAYS = 45
const PLANT_DAYS = 22
const AHEAD = 8
/** Some at a time: then whoever waits has a turn. */
const TOGETHER = 30
const NO_TROUBLE = { nulls: false, missingHours: false }

type Place = { latitude: number; longitude: number }

async function keptRuns(db: Db, companyId: number, { latitude, longitude }: Place): Promise<Set<string>> {
  const { rows } = await db.execute<{ day: string }>(sql`
    select distinct (issued_at at time zone 'UTC')::date::text as day from weather_runs
     where company_id = ${companyId} and latitude = ${tenths(latitude)} and longitude = ${tenths(longitude)}`)
  return new Set(rows.map(({ day }) => day))
}

/** What the provider would have announced at midnight of each day, its error growing with the days ahead. */
async function fillWeather(db: Db, companyId: number, place: Place, today: string): Promise<void> {
  const kept = await keptRuns(db, companyId, place)
  const days = listDays(addDays(today, -CONNECTED_DAYS), addDays(today, 1)).filter((day) => !kept.has(day))
  const whole = addDays(today, -WEATHER_DAYS)
  const [latitude, longitude] = [tenths(place.latitude), tenths(place.longitude)]
  const asked = { latitude: latitude / 10, longitude: longitude / 10, hourly: VARIABLES }
  for (let at = 0; at < days.length; at += TOGETHER) {
    const rows = days.slice(at, at + TOGETHER).map((day) => {
      const issuedAt = new Date(`${day}T00:00:00Z`)
      // Of older ones the day itself is enough: how cold it was, and how bright.
      const wanted = { ...asked, days: day < whole ? 1 : AHEAD, now: issuedAt }
      const { values } = readForecast(JSON.stringify(forecastOf(wanted, NO_TROUBLE)))
      return { companyId, latitude, longitude, issuedAt, values }
    })
    await db.insert(weatherRuns).values(rows).onConflictDoNothing()
    await setImmediate()
  }
}

const morning = (day: string) => new Date(`${day}T04:10:00Z`)

/** Learning all of it for each plant would take longer than the demo itself. */
const QUICK = { only: 'weather', leads: [0, 1, 3, 6] } as const

/**
 * The forecasts that would have been issued each morning of the last weeks, with the readings of the days before and the
 * weather announced by then; they say that they were made later. The very first time today's are issued with them.
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
  const known = await issuedDays(deps.db, companyId, values.id, first)
  const past = listDays(first, today).map((day) => ({ day, issuedAt: morning(day), rebuilt: true }))
  const whens = known.size ? past : [...past, { day: today, issuedAt: new Date() }]
  const plantWhens = whens.slice(-PLANT_DAYS)
  await fillWeather(deps.db, companyId, values, today)
  await issueFor(deps, { ...operation, whens, plantWhens, fit: { ...QUICK, leads: [...QUICK.leads] }, signal })
  await scoreDays(deps, { ...operation, from: first, to: today })
}

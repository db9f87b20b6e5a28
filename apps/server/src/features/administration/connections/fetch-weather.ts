import { sql } from 'drizzle-orm'
import { ConnectionFault, type ConnectorSettings, toConnectionFault } from '../../../adapters/connections/connector.ts'
import { fetchWeatherForecast } from '../../../adapters/connections/weather.ts'
import type { ConnectionRunLog } from '../../../core/connection-runs.ts'
import { weatherRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type ConnectionRow, toConnectorTools } from './connection-settings.ts'

const SLOT_MS = 6 * 3_600_000
/** Consecutive places without an answer after which the run stops until the next attempt. */
const MAX_FAILURES_IN_A_ROW = 3

/** A forecast is fetched once per six hours: the slot that a moment belongs to. */
const getForecastSlot = (now: Date) => new Date(Math.floor(now.getTime() / SLOT_MS) * SLOT_MS)

type Place = { latitude: number; longitude: number }
/** Places of the operations, in tenths of a degree, that have no forecast of this slot yet. */
async function listPlacesWithoutForecast({ db }: Deps, companyId: number, issuedAt: Date): Promise<Place[]> {
  const { rows } = await db.execute<Place>(sql`
    select distinct round(o.latitude * 10)::int as latitude, round(o.longitude * 10)::int as longitude
      from operations o
     where o.company_id = ${companyId} and o.latitude is not null and o.longitude is not null
       and not exists (select from weather_runs w where w.company_id = o.company_id
             and w.latitude = round(o.latitude * 10)::int and w.longitude = round(o.longitude * 10)::int
             and w.issued_at = ${issuedAt.toISOString()})
     order by 1, 2`)
  return rows
}

const formatPlace = ({ latitude, longitude }: Place) => `${latitude / 10}°, ${longitude / 10}°`.replaceAll('.', ',')

/** Every forecast is stored with its time of issue, so that later analyses know what was forecast when. */
export async function fetchWeather(
  deps: Deps,
  { companyId }: ConnectionRow,
  settings: ConnectorSettings,
  log: ConnectionRunLog,
) {
  const issuedAt = getForecastSlot(new Date())
  const places = await listPlacesWithoutForecast(deps, companyId, issuedAt)
  if (places.length === 0) await log.add({ text: 'Rien à demander\u00a0: chaque lieu a déjà sa prévision.' })
  const sum = { files: 0, bytes: 0 }
  let lastFault: ConnectionFault | undefined
  let failures = 0
  for (const place of places) {
    const from = performance.now()
    const degrees = { latitude: place.latitude / 10, longitude: place.longitude / 10 }
    try {
      const { hours, values } = await fetchWeatherForecast(toConnectorTools(deps), settings, degrees)
      const bytes = JSON.stringify(values).length
      await deps.db
        .insert(weatherRuns)
        .values({ companyId, ...place, issuedAt, values })
        .onConflictDoNothing()
      const milliseconds = Math.round(performance.now() - from)
      await log.add({ text: `${formatPlace(place)}\u00a0: ${hours} heures reçues.`, milliseconds, bytes })
      sum.files++
      sum.bytes += bytes
      failures = 0
    } catch (error) {
      lastFault = toConnectionFault(error)
      await log.add({
        text: `${formatPlace(place)}\u00a0: ${lastFault.message}`,
        milliseconds: Math.round(performance.now() - from),
      })
      failures++
      if (lastFault.hopeless || failures >= MAX_FAILURES_IN_A_ROW) throw lastFault
    }
  }
  if (lastFault) throw new ConnectionFault(`Un lieu au moins est resté sans prévision. ${lastFault.message}`)
  return sum
}

import { computePvWatts } from '@voisol/energy/model/pv'
import { drawBell, toSeed } from '@voisol/energy/model/random'
import { createSky } from '@voisol/energy/model/weather'

const SKY = 'voisol 2'
const HOUR = 60
/** One watt of a horizontal plant for each watt per square metre. */
const FLAT = { peakWatts: 1000, tilt: 0, azimuth: 180, losses: 0, clipping: 1.2 }

/** Values that a faulty provider leaves out. */
type ForecastHoles = { nulls: boolean; missingHours: boolean }
type SimulatedForecastRequest = {
  latitude: number
  longitude: number
  days: number
  now: Date
  hourly: string[]
}

/** What is foreseen goes astray with the distance: a tenth tomorrow, a third after a week. */
const getErrorSpread = (lead: number) => 0.04 + 0.3 * Math.min(1, lead / 168)

const round = (value: number, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits
const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

/** The sky that the demo's meters saw or will see, and an error of its own for each moment it is foreseen at. */
export function simulateForecast(
  { latitude, longitude, days, now, hourly }: SimulatedForecastRequest,
  { nulls, missingHours }: ForecastHoles,
) {
  const place = { latitude, longitude }
  const sky = createSky(SKY, place)
  const first = Math.floor(now.getTime() / 86_400_000) * 1440
  const issue = Math.floor(now.getTime() / 21_600_000)
  const seed = toSeed(`${SKY} ${latitude} ${longitude} ${issue}`)
  const rows: Record<string, number | null>[] = []
  for (let hour = 0; hour < days * 24; hour++) {
    const minute = first + hour * HOUR
    const lead = Math.max(0, minute / HOUR - now.getTime() / 3_600_000)
    const error = (channel: number) => getErrorSpread(lead) * drawBell(seed, channel, hour)
    // Radiation and rain are told of the hour before.
    const clear = computePvWatts({ ...FLAT, place }, minute - HOUR, 1, HOUR)[0] ?? 0
    const air = sky(minute)
    const through = clamp(sky(minute - HOUR / 2).clearness + 0.6 * error(1), 0.05, 1)
    const radiation = clear * through
    const direct = radiation * clamp(1.6 * through - 0.7, 0, 0.85)
    const temperature = air.temperature + 6 * error(2)
    rows.push({
      time: minute * 60,
      shortwave_radiation: round(radiation),
      direct_radiation: round(direct),
      diffuse_radiation: round(radiation - direct),
      cloud_cover: Math.round(100 * clamp(1.1 - through, 0, 1)),
      temperature_2m: round(temperature),
      relative_humidity_2m: Math.round(clamp(78 - temperature + 20 * (1 - through), 15, 100)),
      wind_speed_10m: round(clamp(11 + 20 * error(3), 0, 90)),
      snow_depth: temperature < -4 ? 0.03 : 0,
      precipitation: through < 0.25 ? round(2 * (0.3 - through) * 5) : 0,
    })
  }
  const told = missingHours ? rows.filter((_, hour) => hour % 7 !== 5) : rows
  const column = (name: string) => told.map((row, at) => (nulls && at % 5 === 2 ? null : (row[name] ?? null)))
  const time = told.map((row) => row.time)
  return {
    latitude,
    longitude,
    utc_offset_seconds: 0,
    hourly: { time, ...Object.fromEntries(hourly.map((name) => [name, column(name)])) },
  }
}

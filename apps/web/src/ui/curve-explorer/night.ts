import type { TimeRange } from '../chart/types.ts'

const DAY_SECONDS = 86_400
const toRadians = (degrees: number) => (degrees * Math.PI) / 180
/** The middle of metropolitan France, for a chart that has no place of its own. */
const FRANCE_CENTRE = { lat: 46.6, lon: 2.4 }

/** Sunrise and sunset of a UTC day in Unix seconds, to a few minutes: enough to shade a chart. */
function computeSunTimes(noonUtc: number, lat: number, lon: number): TimeRange | null {
  const dayOfYear = (noonUtc - Date.UTC(new Date(noonUtc * 1000).getUTCFullYear(), 0, 1) / 1000) / DAY_SECONDS
  const yearAngle = (2 * Math.PI * (dayOfYear - 81)) / 365.25
  const declination = toRadians(23.44) * Math.sin(yearAngle)
  const equation = 9.87 * Math.sin(2 * yearAngle) - 7.53 * Math.cos(yearAngle) - 1.5 * Math.sin(yearAngle)
  const noon = noonUtc - lon * 240 - equation * 60
  // The sun's rim and the bent light put sunrise at 0.833° under the horizon.
  const cosine =
    (Math.sin(toRadians(-0.833)) - Math.sin(toRadians(lat)) * Math.sin(declination)) /
    (Math.cos(toRadians(lat)) * Math.cos(declination))
  if (Math.abs(cosine) > 1) return null
  const half = (Math.acos(cosine) / Math.PI) * (DAY_SECONDS / 2)
  return [noon - half, noon + half]
}

/** From sunset to sunrise inside a span. */
export function computeNights([from, to]: TimeRange, { lat, lon } = FRANCE_CENTRE): TimeRange[] {
  const nights: TimeRange[] = []
  let dusk = from
  for (
    let noon = Math.floor(from / DAY_SECONDS) * DAY_SECONDS - DAY_SECONDS / 2;
    noon < to + DAY_SECONDS;
    noon += DAY_SECONDS
  ) {
    const day = computeSunTimes(noon, lat, lon)
    if (!day || day[1] <= from) continue
    if (day[0] > dusk) nights.push([dusk, Math.min(day[0], to)])
    dusk = Math.max(dusk, day[1])
    if (dusk >= to) break
  }
  return nights
}

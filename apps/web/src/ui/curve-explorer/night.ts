import type { Span } from '../chart/types.ts'

const DAY = 86_400
const rad = (degrees: number) => (degrees * Math.PI) / 180
/** The middle of metropolitan France, for a chart that has no place of its own. */
const CENTRE = { lat: 46.6, lon: 2.4 }

/** Sunrise and sunset of a UTC day in Unix seconds, to a few minutes: enough to shade a chart. */
function sun(noonUtc: number, lat: number, lon: number): Span | null {
  const dayOfYear = (noonUtc - Date.UTC(new Date(noonUtc * 1000).getUTCFullYear(), 0, 1) / 1000) / DAY
  const turn = (2 * Math.PI * (dayOfYear - 81)) / 365.25
  const declination = rad(23.44) * Math.sin(turn)
  const equation = 9.87 * Math.sin(2 * turn) - 7.53 * Math.cos(turn) - 1.5 * Math.sin(turn)
  const noon = noonUtc - lon * 240 - equation * 60
  // The sun's rim and the bent light put sunrise at 0.833° under the horizon.
  const cosine =
    (Math.sin(rad(-0.833)) - Math.sin(rad(lat)) * Math.sin(declination)) / (Math.cos(rad(lat)) * Math.cos(declination))
  if (Math.abs(cosine) > 1) return null
  const half = (Math.acos(cosine) / Math.PI) * (DAY / 2)
  return [noon - half, noon + half]
}

/** From sunset to sunrise inside a span. */
export function nightsOf([from, to]: Span, { lat, lon } = CENTRE): Span[] {
  const nights: Span[] = []
  let dusk = from
  for (let noon = Math.floor(from / DAY) * DAY - DAY / 2; noon < to + DAY; noon += DAY) {
    const day = sun(noon, lat, lon)
    if (!day || day[1] <= from) continue
    if (day[0] > dusk) nights.push([dusk, Math.min(day[0], to)])
    dusk = Math.max(dusk, day[1])
    if (dusk >= to) break
  }
  return nights
}

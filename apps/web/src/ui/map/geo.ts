import { number } from '../../lib/format.ts'

export type Place = { lat: number; lon: number }
/** Metres east and north of a centre. */
export type Metres = { x: number; y: number }

const RADIUS = 6_371_008.8
const rad = (degrees: number) => (degrees * Math.PI) / 180

/** Metres along the ground between two places. */
export function distance(a: Place, b: Place) {
  const half = (from: number, to: number) => Math.sin(rad(to - from) / 2) ** 2
  const h = half(a.lat, b.lat) + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * half(a.lon, b.lon)
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** A flat map around a centre: over some tens of kilometres its error is under a thousandth. */
export const projection = (centre: Place) => {
  const shrink = Math.cos(rad(centre.lat))
  return ({ lat, lon }: Place): Metres => ({
    x: rad(lon - centre.lon) * shrink * RADIUS,
    y: rad(lat - centre.lat) * RADIUS,
  })
}

/** The two places that lie farthest apart; null for fewer than two. */
export function farthest<P extends Place>(places: P[]) {
  let best: { from: P; to: P; metres: number } | null = null
  places.forEach((from, at) => {
    for (const to of places.slice(at + 1)) {
      const metres = distance(from, to)
      if (!best || metres > best.metres) best = { from, to, metres }
    }
  })
  // The assignment happens inside the callback, where the compiler does not follow it.
  return best as { from: P; to: P; metres: number } | null
}

export const middle = (a: Place, b: Place): Place => ({ lat: (a.lat + b.lat) / 2, lon: (a.lon + b.lon) / 2 })

/** « 850 m », « 1,84 km ». */
export const distanceText = (metres: number) =>
  metres < 1000
    ? `${number(Math.round(metres))}\u00a0m`
    : `${number(metres / 1000, metres % 1000 === 0 ? 0 : 2)}\u00a0km`

/** A round length, at most so many metres, for a scale bar. */
export function roundLength(most: number) {
  const power = 10 ** Math.floor(Math.log10(most))
  return ([5, 2, 1].find((factor) => factor * power <= most) ?? 1) * power
}

import { distanceMetres, spread } from '@voisol/energy/perimeter'
import { number } from '../../lib/format.ts'

export type Place = { lat: number; lon: number }
/** Metres east and north of a centre. */
export type Metres = { x: number; y: number }

const RADIUS = 6_371_008.8
const rad = (degrees: number) => (degrees * Math.PI) / 180

const position = ({ lat, lon }: Place) => ({ latitude: lat, longitude: lon })
/** Metres along the ground between two places. */
export const distance = (a: Place, b: Place) => distanceMetres(position(a), position(b))

/** A flat map around a centre: over some tens of kilometres its error is under a thousandth. */
export const projection = (centre: Place) => {
  const shrink = Math.cos(rad(centre.lat))
  return ({ lat, lon }: Place): Metres => ({
    x: rad(lon - centre.lon) * shrink * RADIUS,
    y: rad(lat - centre.lat) * RADIUS,
  })
}

/** The other way: the place so many metres east and north of the centre. */
export const placeAt = (centre: Place, { x, y }: Metres): Place => ({
  lat: centre.lat + (y / RADIUS) * (180 / Math.PI),
  lon: centre.lon + (x / (RADIUS * Math.cos(rad(centre.lat)))) * (180 / Math.PI),
})

/** The two places that lie farthest apart; null for fewer than two. */
export function farthest<P extends Place>(places: P[]) {
  const { metres, pair } = spread(places.map((place, at) => ({ id: String(at), place, ...position(place) })))
  return pair && { from: pair[0].place, to: pair[1].place, metres }
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

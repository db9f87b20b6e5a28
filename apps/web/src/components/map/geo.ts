import { computeDistanceMetres, findFarthestPoints } from '@voisol/energy/perimeter'
import { formatNumber } from '../../lib/format.ts'

export type GeoPoint = { lat: number; lon: number }
/** Metres east and north of a centre. */
export type MetreOffset = { x: number; y: number }

const EARTH_RADIUS_METRES = 6_371_008.8
const toRadians = (degrees: number) => (degrees * Math.PI) / 180

const toPosition = ({ lat, lon }: GeoPoint) => ({ latitude: lat, longitude: lon })
/** Metres along the ground between two places. */
export const computeDistance = (a: GeoPoint, b: GeoPoint) => computeDistanceMetres(toPosition(a), toPosition(b))

/** A flat map around a centre: over some tens of kilometres its error is under a thousandth. */
export const createProjection = (centre: GeoPoint) => {
  const shrink = Math.cos(toRadians(centre.lat))
  return ({ lat, lon }: GeoPoint): MetreOffset => ({
    x: toRadians(lon - centre.lon) * shrink * EARTH_RADIUS_METRES,
    y: toRadians(lat - centre.lat) * EARTH_RADIUS_METRES,
  })
}

/** The other way: the place so many metres east and north of the centre. */
export const offsetPoint = (centre: GeoPoint, { x, y }: MetreOffset): GeoPoint => ({
  lat: centre.lat + (y / EARTH_RADIUS_METRES) * (180 / Math.PI),
  lon: centre.lon + (x / (EARTH_RADIUS_METRES * Math.cos(toRadians(centre.lat)))) * (180 / Math.PI),
})

/** The two places that lie farthest apart; null for fewer than two. */
export function findFarthestPair<P extends GeoPoint>(places: P[]) {
  const { metres, pair } = findFarthestPoints(
    places.map((place, at) => ({ id: String(at), place, ...toPosition(place) })),
  )
  return pair && { from: pair[0].place, to: pair[1].place, metres }
}

/** « 850 m », « 1,84 km ». */
export const formatDistance = (metres: number) =>
  metres < 1000
    ? `${formatNumber(Math.round(metres))}\u00a0m`
    : `${formatNumber(metres / 1000, metres % 1000 === 0 ? 0 : 2)}\u00a0km`

/** A round length, at most so many metres, for a scale bar. */
export function chooseScaleLength(most: number) {
  const power = 10 ** Math.floor(Math.log10(most))
  return ([5, 2, 1].find((factor) => factor * power <= most) ?? 1) * power
}

export type PerimeterPoint = GeoPoint & {
  id: string
  label: string
  role: 'producer' | 'consumer' | 'both' | 'storage'
  /** How the place is known; where it is not said, well enough. */
  precision?: 'address' | 'commune' | 'pin'
}

/** A place known by its commune alone is drawn, and measures nothing. */
export const isPreciselyLocated = ({ precision }: PerimeterPoint) => precision !== 'commune'

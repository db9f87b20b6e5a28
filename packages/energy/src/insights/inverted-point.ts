import type { Place } from '../model/climate.ts'
import { clearSky } from '../model/pv.ts'
import { sunPosition } from '../model/sun.ts'
import type { Series } from '../series/series.ts'
import { type Finding, isReceived } from './finding.ts'

export type Role = 'producer' | 'consumer'
export type InvertedPoint = Finding<
  'inverted-point',
  { role: Role; nightPart: number; correlation: number; wattHours: number; days: number }
>

const DAYS = 14
const NIGHT = -3
const MOST_NIGHT_OF_PLANT = 0.02
const LEAST_NIGHT_OF_LOAD = 0.005
const LIKE_THE_SUN = 0.6

export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [n, sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0, 0]
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? Number.NaN, b[at] ?? Number.NaN]
    if (Number.isNaN(x) || Number.isNaN(y)) continue
    n++
    sa += x
    sb += y
    saa += x * x
    sbb += y * y
    sab += x * y
  }
  const spreads = (n * saa - sa * sa) * (n * sbb - sb * sb)
  return spreads > 0 ? (n * sab - sa * sb) / Math.sqrt(spreads) : 0
}

/** A producer that gives at night, or a consumer that takes nothing at night and follows the sun. Correlation alone would accuse offices. */
export function invertedPoint({ startsAt, step, watts }: Series, place: Place, role: Role): InvertedPoint | null {
  const days = (watts.length * step) / 1440
  if (days < DAYS || !isReceived(watts)) return null
  const heights = Float64Array.from(watts, (_, at) => {
    return sunPosition(startsAt + (at + 0.5) * step, place.latitude, place.longitude).elevation
  })
  let [whole, night] = [0, 0]
  for (let at = 0; at < watts.length; at++) {
    const value = Math.max(0, watts[at] ?? 0)
    whole += value
    if ((heights[at] ?? 0) < NIGHT) night += value
  }
  if (whole === 0) return null
  const nightPart = night / whole
  const known = Float64Array.from(watts, (value) => (value < 0 ? Number.NaN : value))
  const like = correlation(known, heights.map(clearSky))
  const found =
    role === 'producer' ? nightPart > MOST_NIGHT_OF_PLANT : nightPart < LEAST_NIGHT_OF_LOAD && like > LIKE_THE_SUN
  if (!found) return null
  return {
    rule: 'inverted-point',
    statistic: nightPart,
    threshold: role === 'producer' ? MOST_NIGHT_OF_PLANT : LEAST_NIGHT_OF_LOAD,
    confidence: role === 'producer' ? Math.min(0.95, 0.5 + nightPart) : Math.min(0.95, like),
    evidence: { role, nightPart, correlation: like, wattHours: (whole * step) / 60, days },
  }
}

import type { Coordinates } from '../model/climate.ts'
import { computeClearSkyLight } from '../model/pv.ts'
import { computeSunPosition } from '../model/sun.ts'
import type { PowerSeries } from '../series/series.ts'
import { type InsightFinding, isMostlyKnown } from './finding.ts'

export type MeterRole = 'producer' | 'consumer'
export type InvertedPointFinding = InsightFinding<
  'inverted-point',
  { role: MeterRole; nightPart: number; correlation: number; wattHours: number; days: number }
>

const MIN_DAYS = 14
const NIGHT_ELEVATION = -3
const MAX_NIGHT_SHARE_OF_PLANT = 0.02
const MIN_NIGHT_SHARE_OF_LOAD = 0.005
const MIN_SUN_CORRELATION = 0.6

export function computeCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
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

/**
 * A producer that feeds in at night, or a consumer that takes nothing at night and follows the sun. Correlation alone
 * would report offices.
 */
export function detectInvertedPoint(
  { startsAt, step, watts }: PowerSeries,
  place: Coordinates,
  role: MeterRole,
): InvertedPointFinding | null {
  const days = (watts.length * step) / 1440
  if (days < MIN_DAYS || !isMostlyKnown(watts)) return null
  const heights = Float64Array.from(watts, (_, at) => {
    return computeSunPosition(startsAt + (at + 0.5) * step, place.latitude, place.longitude).elevation
  })
  let [whole, night] = [0, 0]
  for (let at = 0; at < watts.length; at++) {
    const value = Math.max(0, watts[at] ?? 0)
    whole += value
    if ((heights[at] ?? 0) < NIGHT_ELEVATION) night += value
  }
  if (whole === 0) return null
  const nightPart = night / whole
  const known = Float64Array.from(watts, (value) => (value < 0 ? Number.NaN : value))
  const like = computeCorrelation(known, heights.map(computeClearSkyLight))
  const found =
    role === 'producer'
      ? nightPart > MAX_NIGHT_SHARE_OF_PLANT
      : nightPart < MIN_NIGHT_SHARE_OF_LOAD && like > MIN_SUN_CORRELATION
  if (!found) return null
  return {
    rule: 'inverted-point',
    statistic: nightPart,
    threshold: role === 'producer' ? MAX_NIGHT_SHARE_OF_PLANT : MIN_NIGHT_SHARE_OF_LOAD,
    confidence: role === 'producer' ? Math.min(0.95, 0.5 + nightPart) : Math.min(0.95, like),
    evidence: { role, nightPart, correlation: like, wattHours: (whole * step) / 60, days },
  }
}

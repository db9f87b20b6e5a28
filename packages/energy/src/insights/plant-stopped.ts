import { median } from '../forecast/quantile.ts'
import type { Finding } from './finding.ts'

/** Stretches of hours, [from, to). */
export type PlantStopped = Finding<'plant-stopped', { stretches: [number, number][]; lostWh: number }>

const HOURS = 4
const BRIGHT = 0.3
const WITHIN = 72

/**
 * Hourly watts of a plant (−1 unknown), what it can give at most under a cloudless sky, and its neighbours' output as a part of
 * theirs: nothing at all for four hours while the others give three tenths, twice in three days.
 */
export function plantStopped(
  watts: ArrayLike<number>,
  envelope: ArrayLike<number>,
  neighbours: ArrayLike<number>[],
): PlantStopped | null {
  const light = Array.from({ length: watts.length }, (_, hour) => {
    const parts = neighbours.map((plant) => plant[hour] ?? Number.NaN).filter((part) => part >= 0)
    return parts.length > 0 ? median(parts) : Number.NaN
  })
  const stretches: [number, number][] = []
  for (let hour = 0, from = 0; hour <= watts.length; hour++) {
    if (hour < watts.length && watts[hour] === 0 && (light[hour] ?? 0) > BRIGHT) continue
    if (hour - from >= HOURS) stretches.push([from, hour])
    from = hour + 1
  }
  const last = stretches.filter(([, to]) => to > watts.length - WITHIN)
  if (last.length < 2) return null
  const hours = last.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i))
  const lostWh = hours.reduce((sum, hour) => sum + (light[hour] ?? 0) * (envelope[hour] ?? 0), 0)
  return {
    rule: 'plant-stopped',
    statistic: last.length,
    threshold: 2,
    confidence: 0.95,
    evidence: { stretches: last, lostWh },
  }
}

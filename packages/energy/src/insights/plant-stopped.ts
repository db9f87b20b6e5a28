import { computeMedian } from '../forecast/quantile.ts'
import type { InsightFinding } from './finding.ts'

/** Ranges of hours, [from, to). */
export type PlantStopFinding = InsightFinding<'plant-stopped', { stretches: [number, number][]; lostWh: number }>

const MIN_STOPPED_HOURS = 4
const MIN_NEIGHBOUR_OUTPUT = 0.3
const RECENT_HOURS = 72

/**
 * Hourly watts of a plant (−1 unknown), its highest output under a cloudless sky, and the output of its neighbours as a
 * part of theirs: no output for four hours while the others give three tenths, twice in three days.
 */
export function detectPlantStop(
  watts: ArrayLike<number>,
  envelope: ArrayLike<number>,
  neighbours: ArrayLike<number>[],
): PlantStopFinding | null {
  const light = Array.from({ length: watts.length }, (_, hour) => {
    const parts = neighbours.map((plant) => plant[hour] ?? Number.NaN).filter((part) => part >= 0)
    return parts.length > 0 ? computeMedian(parts) : Number.NaN
  })
  const stretches: [number, number][] = []
  for (let hour = 0, from = 0; hour <= watts.length; hour++) {
    if (hour < watts.length && watts[hour] === 0 && (light[hour] ?? 0) > MIN_NEIGHBOUR_OUTPUT) continue
    if (hour - from >= MIN_STOPPED_HOURS) stretches.push([from, hour])
    from = hour + 1
  }
  const last = stretches.filter(([, to]) => to > watts.length - RECENT_HOURS)
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

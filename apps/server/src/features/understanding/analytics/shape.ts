import type { Measure, Shape } from '@voisol/contract/analytics'
import { listDays } from '@voisol/energy/calendar'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { byWallClock, requirePeriod, seriesOf } from '../energy/energy.ts'
import { co2Of } from './co2.ts'
import type { Where } from './compare.ts'

/** A little over a year of hours is drawn at once. */
const MOST_DAYS = 400
/** As many as a curve of this kind has to show. */
const DURATION_POINTS = 200
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

type Factors = Pick<Config, 'CO2_GRID_GRAMS' | 'CO2_SOLAR_GRAMS' | 'CO2_SOURCE' | 'CO2_GRID_HOURLY'>

export async function shapeOf(
  db: Db,
  actor: Actor,
  factors: Factors,
  query: Where & { measure: Measure },
): Promise<Shape> {
  const period = requirePeriod(query, MOST_DAYS)
  const asked = { ...period, operationId: query.operationId, granularity: 'hour' as const }
  const series = await seriesOf(db, actor, asked, [query.measure, 'allocated'])
  const days = listDays(period.from, period.to)
  const hours = byWallClock(series, query.measure, days)
  const known = series[query.measure].filter((value) => value !== null)
  return {
    measure: query.measure,
    heat: { days, hours },
    duration: durationOf(known),
    boxes: HOURS.map((hour) =>
      boxOf(
        hour,
        hours.flatMap((row) => row[hour] ?? []),
      ),
    ),
    co2: co2Of(byWallClock(series, 'allocated', days), factors),
  }
}

/** Powers from the highest: an hour's watt-hours are its mean watts. Only hours that are known count. */
export function durationOf(known: number[]): Shape['duration'] {
  const sorted = known.toSorted((a, b) => b - a)
  const size = Math.min(sorted.length, DURATION_POINTS)
  const points = Array.from({ length: size }, (_, n) => {
    const at = size === 1 ? 0 : Math.round((n * (sorted.length - 1)) / (size - 1))
    return { part: sorted.length === 1 ? 0 : at / (sorted.length - 1), watts: sorted[at] ?? 0 }
  })
  return { hours: sorted.length, points }
}

/** Between two values the line that joins them, as spreadsheets do. */
export function quantile(sorted: number[], part: number): number {
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0]
  return Math.round((low + (high - low) * (at - Math.floor(at))) * 1000) / 1000
}

function boxOf(hour: number, values: number[]): Shape['boxes'][number] {
  const sorted = values.toSorted((a, b) => a - b)
  if (!sorted.length) return { hour, days: 0, spread: null }
  const at = (part: number) => quantile(sorted, part)
  return {
    hour,
    days: sorted.length,
    spread: { min: at(0), low: at(0.25), median: at(0.5), high: at(0.75), max: at(1) },
  }
}

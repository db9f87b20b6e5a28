import type { AnalyticsMeasure, LoadShape } from '@voisol/contract/analytics'
import { listDays } from '@voisol/energy/calendar'
import { computeAvoidedCo2Grams } from '@voisol/energy/metrics'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { groupByWallClockHour, loadEnergySeries, requirePeriod } from '../energy/index.ts'
import type { AnalyticsFilter } from './energy-comparison.ts'

/** A little over a year of hours is drawn at once. */
const MAX_SHAPE_DAYS = 400
/** The number of points a load-duration curve needs. */
const MAX_DURATION_POINTS = 200
const HOURS_OF_DAY = Array.from({ length: 24 }, (_, hour) => hour)

type HourlyCo2Factors = Pick<Config, 'CO2_GRID_GRAMS' | 'CO2_SOLAR_GRAMS' | 'CO2_SOURCE' | 'CO2_GRID_HOURLY'>

export async function loadEnergyShape(
  db: Db,
  actor: Actor,
  factors: HourlyCo2Factors,
  query: AnalyticsFilter & { measure: AnalyticsMeasure },
): Promise<LoadShape> {
  const period = requirePeriod(query, MAX_SHAPE_DAYS)
  const seriesQuery = { ...period, operationId: query.operationId, granularity: 'hour' as const }
  const series = await loadEnergySeries(db, actor, seriesQuery, [query.measure, 'allocated'])
  const days = listDays(period.from, period.to)
  const hours = groupByWallClockHour(series, query.measure, days)
  const knownValues = series[query.measure].filter((value) => value !== null)
  return {
    measure: query.measure,
    heat: { days, hours },
    duration: buildDurationCurve(knownValues),
    boxes: HOURS_OF_DAY.map((hour) =>
      buildHourBox(
        hour,
        hours.flatMap((row) => row[hour] ?? []),
      ),
    ),
    co2: computeAvoidedCo2(groupByWallClockHour(series, 'allocated', days), factors),
  }
}

/** Powers in descending order: an hour's watt-hours are its mean watts. Unknown hours are left out. */
export function buildDurationCurve(values: number[]): LoadShape['duration'] {
  const sorted = values.toSorted((a, b) => b - a)
  const size = Math.min(sorted.length, MAX_DURATION_POINTS)
  const points = Array.from({ length: size }, (_, n) => {
    const at = size === 1 ? 0 : Math.round((n * (sorted.length - 1)) / (size - 1))
    return { part: sorted.length === 1 ? 0 : at / (sorted.length - 1), watts: sorted[at] ?? 0 }
  })
  return { hours: sorted.length, points }
}

/** Linear interpolation between two values, as in spreadsheets. */
export function computeQuantile(sorted: number[], part: number): number {
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0]
  return Math.round((low + (high - low) * (at - Math.floor(at))) * 1000) / 1000
}

function buildHourBox(hour: number, values: number[]): LoadShape['boxes'][number] {
  const sorted = values.toSorted((a, b) => a - b)
  if (!sorted.length) return { hour, days: 0, spread: null }
  const getQuantile = (part: number) => computeQuantile(sorted, part)
  return {
    hour,
    days: sorted.length,
    spread: {
      min: getQuantile(0),
      low: getQuantile(0.25),
      median: getQuantile(0.5),
      high: getQuantile(0.75),
      max: getQuantile(1),
    },
  }
}

/** CO2 avoided by local energy, with the year's factor and, when hourly factors are known, with those. */
export function computeAvoidedCo2(hours: (number | null)[][], factors: HourlyCo2Factors): LoadShape['co2'] {
  const { CO2_GRID_GRAMS: grid, CO2_SOLAR_GRAMS: solar, CO2_SOURCE: source, CO2_GRID_HOURLY: byHour } = factors
  const sums = Array.from({ length: 24 }, (_, hour) => hours.reduce((sum, row) => sum + (row[hour] ?? 0), 0))
  const wh = sums.reduce((sum, value) => sum + value, 0)
  return {
    solarGramsPerKwh: solar,
    source,
    yearly: { gridGramsPerKwh: grid, grams: computeAvoidedCo2Grams(wh, grid, solar) },
    hourly: byHour.length
      ? {
          gridGramsPerKwh: byHour,
          grams: sums.reduce((sum, value, hour) => sum + computeAvoidedCo2Grams(value, byHour[hour] ?? 0, solar), 0),
          wh: Math.round(wh * 1000) / 1000,
        }
      : null,
  }
}

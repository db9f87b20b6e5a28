import type { LoadShape } from '@voisol/contract/analytics'
import { computeAvoidedCo2Grams } from '@voisol/energy/metrics'
import type { Config } from '../../../config.ts'

type HourlyCo2Factors = Pick<Config, 'CO2_GRID_GRAMS' | 'CO2_SOLAR_GRAMS' | 'CO2_SOURCE' | 'CO2_GRID_HOURLY'>

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

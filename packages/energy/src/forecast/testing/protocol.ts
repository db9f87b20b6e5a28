import {
  computeForecast,
  type ForecastModel,
  type ForecastOptions,
  fitForecastModel,
  type IssuedWeather,
  type PowerForecast,
} from '../../forecast.ts'
import { computeSunPosition } from '../../model/sun.ts'
import type { PowerSeries } from '../../series/series.ts'
import { computeBandCoverage, computeNmae, computePinball } from '../score.ts'
import { type NtnuSite, TRONDHEIM } from './ntnu.ts'

const DAY = 1440
export const toEpochDayNumber = (stamp: string): number => Date.parse(`${stamp}T00:00Z`) / 86_400_000

const cutSeries = ({ startsAt, step, watts }: PowerSeries, minute: number, from = startsAt): PowerSeries => {
  const skipped = Math.max(0, (from - startsAt) / step)
  return { startsAt: startsAt + skipped * step, step, watts: watts.slice(skipped, (minute - startsAt) / step) }
}

export type ForecastPair = { hour: number; measured: number; said: PowerForecast; at: number }

const findRunOfDay = (runs: IssuedWeather[], day: number) =>
  runs.find(({ startsAt }) => Math.floor((startsAt + 120) / DAY) === day)

/**
 * Fits on what was known when the forecast of `day` was issued: issued the day before, with data up to the end of the
 * day before that.
 */
export function fitModelForDay(site: NtnuSite, day: number, options: ForecastOptions): ForecastModel {
  const weather = site.runs.filter(({ issuedAt }) => issuedAt < (day - 1) * DAY + 720)
  const series = cutSeries(site.series, (day - 1) * DAY)
  return fitForecastModel({ series, place: TRONDHEIM, peakWatts: site.capacity, weather }, options)
}

export function forecastDay(site: NtnuSite, model: ForecastModel, day: number): ForecastPair[] {
  const ask = { issuedAt: (day - 1) * DAY + 480, startsAt: day * DAY, steps: 24, step: 60 } as const
  const recent = cutSeries(site.series, (day - 1) * DAY, (day - 45) * DAY)
  const said = computeForecast(model, ask, recent, model.weather ? findRunOfDay(site.runs, day) : undefined)
  return listMeasuredHours(site, day).map((pair) => ({ ...pair, said }))
}

export function listMeasuredHours({ series }: NtnuSite, day: number): { hour: number; measured: number; at: number }[] {
  return Array.from({ length: 24 }, (_, at) => {
    const hour = day * 24 + at
    return { hour, at, measured: series.watts[hour - series.startsAt / 60] ?? -1 }
  }).filter(({ measured }) => measured >= 0)
}

/** The same hour two days before; -1 where it is unknown. */
export const getPersistenceValue = ({ series }: NtnuSite, hour: number): number =>
  series.watts[hour - 48 - series.startsAt / 60] ?? -1

export function computeScores(site: NtnuSite, pairs: ForecastPair[]) {
  const level = (rows: ForecastPair[], order: number) => rows.map(({ said, at }) => said.values[order]?.[at] ?? 0)
  const { latitude, longitude } = TRONDHEIM
  const lit = pairs.filter(({ hour }) => computeSunPosition(hour * 60 + 30, latitude, longitude).elevation > 3)
  const seen = lit.map(({ measured }) => measured)
  const losses = [0.1, 0.5, 0.9].map((each, order) => computePinball(seen, level(lit, order), each, site.capacity))
  const measured = pairs.map((pair) => pair.measured)
  return {
    nMAE: 100 * computeNmae(measured, level(pairs, 1), site.capacity),
    pinball: (100 * losses.reduce((sum, loss) => sum + loss, 0)) / 3,
    coverage: 100 * computeBandCoverage(seen, level(lit, 0), level(lit, 2)),
  }
}

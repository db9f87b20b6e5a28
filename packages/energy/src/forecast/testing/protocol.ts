import { type Forecast, fitForecast, forecast, type Model, type Options, type Run } from '../../forecast.ts'
import { sunPosition } from '../../model/sun.ts'
import type { Series } from '../../series/series.ts'
import { coverage, nMAE, pinball } from '../score.ts'
import { type Site, TRONDHEIM } from './ntnu.ts'

const DAY = 1440
export const dayOf = (stamp: string): number => Date.parse(`${stamp}T00:00Z`) / 86_400_000

const until = ({ startsAt, step, watts }: Series, minute: number, from = startsAt): Series => {
  const skipped = Math.max(0, (from - startsAt) / step)
  return { startsAt: startsAt + skipped * step, step, watts: watts.slice(skipped, (minute - startsAt) / step) }
}

export type Pair = { hour: number; measured: number; said: Forecast; at: number }

const runFor = (runs: Run[], day: number) => runs.find(({ startsAt }) => Math.floor((startsAt + 120) / DAY) === day)

/** With what was known when the forecast of `day` was issued: the day before, up to the end of the day before that. */
export function fitFor(site: Site, day: number, options: Options): Model {
  const weather = site.runs.filter(({ issuedAt }) => issuedAt < (day - 1) * DAY + 720)
  const series = until(site.series, (day - 1) * DAY)
  return fitForecast({ series, place: TRONDHEIM, peakWatts: site.capacity, weather }, options)
}

export function forecastDay(site: Site, model: Model, day: number): Pair[] {
  const ask = { issuedAt: (day - 1) * DAY + 480, startsAt: day * DAY, steps: 24, step: 60 } as const
  const recent = until(site.series, (day - 1) * DAY, (day - 45) * DAY)
  const said = forecast(model, ask, recent, model.weather ? runFor(site.runs, day) : undefined)
  return measuredOn(site, day).map((pair) => ({ ...pair, said }))
}

export function measuredOn({ series }: Site, day: number): { hour: number; measured: number; at: number }[] {
  return Array.from({ length: 24 }, (_, at) => {
    const hour = day * 24 + at
    return { hour, at, measured: series.watts[hour - series.startsAt / 60] ?? -1 }
  }).filter(({ measured }) => measured >= 0)
}

/** The same hour two days before; -1 where it is unknown. */
export const persisted = ({ series }: Site, hour: number): number =>
  series.watts[hour - 48 - series.startsAt / 60] ?? -1

export function scoresOf(site: Site, pairs: Pair[]) {
  const level = (rows: Pair[], order: number) => rows.map(({ said, at }) => said.values[order]?.[at] ?? 0)
  const { latitude, longitude } = TRONDHEIM
  const lit = pairs.filter(({ hour }) => sunPosition(hour * 60 + 30, latitude, longitude).elevation > 3)
  const seen = lit.map(({ measured }) => measured)
  const losses = [0.1, 0.5, 0.9].map((each, order) => pinball(seen, level(lit, order), each, site.capacity))
  const measured = pairs.map((pair) => pair.measured)
  return {
    nMAE: 100 * nMAE(measured, level(pairs, 1), site.capacity),
    pinball: (100 * losses.reduce((sum, loss) => sum + loss, 0)) / 3,
    coverage: 100 * coverage(seen, level(lit, 0), level(lit, 2)),
  }
}

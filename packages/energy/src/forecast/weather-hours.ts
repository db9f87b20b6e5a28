import type { ForecastFrame } from './frame.ts'
import type { IssuedWeather } from './types.ts'
import { HOUR_MINUTES } from './types.ts'

/** A weather run by hour: NaN where it has no value. */
export type HourlyWeather = {
  issuedDay: number
  first: number
  count: number
  at: (name: string, hour: number) => number
}

export function toHourlyWeather({ issuedAt, startsAt, values }: IssuedWeather): HourlyWeather {
  const first = Math.ceil(startsAt / HOUR_MINUTES)
  const at = (name: string, hour: number): number => {
    const value = values[name]?.[hour - first]
    return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
  }
  return { issuedDay: Math.floor(issuedAt / 1440), first, count: values.ghi?.length ?? 0, at }
}

/** Fields of the runs other than the light itself. */
export const listWeatherFields = (runs: IssuedWeather[]): string[] =>
  [...new Set(runs.flatMap(({ values }) => Object.keys(values)))]
    .filter((name) => name !== 'ghi' && name !== 'dhi')
    .sort()

/** Announced divided by cloudless light over the hours around; NaN where none of them is covered. */
export function computeClearnessAround(frame: ForecastFrame, run: HourlyWeather, at: number, reach: number): number {
  let [light, clear] = [0, 0]
  for (let near = at - reach; near <= at + reach; near++) {
    const ghi = run.at('ghi', frame.firstDay * 24 + near)
    const level = frame.light.level[near] ?? 0
    if (Number.isNaN(ghi) || level <= 0) continue
    light += Math.max(0, ghi)
    clear += level
  }
  return clear > 0 ? Math.min(2, light / clear) : Number.NaN
}

import type { Coordinates } from '../model/climate.ts'
import { computePvWatts, type PvPlant } from '../model/pv.ts'
import type { Sky } from '../model/weather.ts'
import type { ForecastFrame } from './frame.ts'
import { HOUR_MINUTES, type IssuedWeather } from './types.ts'
import { type HourlyWeather, toHourlyWeather } from './weather-hours.ts'

/** The usual roof, when the orientation of the panels is unknown. */
const toDefaultPlant = (peakWatts: number, place: Coordinates): PvPlant => {
  return { peakWatts, place, tilt: 35, azimuth: place.latitude < 0 ? 0 : 180 }
}

function toSky(run: HourlyWeather, hour: number, level: number): Sky {
  const temperature = run.at('temperature', hour)
  const clearness = level > 0 ? Math.min(1.2, Math.max(0, run.at('ghi', hour)) / level) : 0
  return () => ({ clearness, temperature: Number.isNaN(temperature) ? 15 : temperature })
}

/** The physical model of an hour as a part of the peak power, under a cloudless sky or the announced one. */
export function computeModelledOutput(
  frame: ForecastFrame,
  at: number,
  place: Coordinates,
  run?: HourlyWeather,
): number {
  const hour = frame.firstDay * 24 + at
  const sky = run && toSky(run, hour, frame.light.level[at] ?? 0)
  // A plant of a thousand kilowatts, so that whole watts cost no precision.
  return (computePvWatts(toDefaultPlant(1e6, place), hour * HOUR_MINUTES, 1, HOUR_MINUTES, sky)[0] ?? 0) / 1e6
}

function computeRatio(
  frame: ForecastFrame,
  place: Coordinates,
  hours: Iterable<[number, HourlyWeather | undefined]>,
): number | null {
  let [measured, model] = [0, 0]
  for (const [at, run] of hours) {
    const value = frame.y[at] ?? Number.NaN
    if (Number.isNaN(value) || (frame.light.level[at] ?? 0) <= 0) continue
    measured += value
    model += computeModelledOutput(frame, at, place, run)
  }
  return model > 0 ? Number((measured / model).toPrecision(6)) : null
}

/** Σ measured divided by Σ modelled over the last year; 1 where nothing was measured. */
export function computeModelScale(
  frame: ForecastFrame,
  place: Coordinates,
  runs: IssuedWeather[],
): { clear: number; weather: number | null } {
  const first = Math.max(0, frame.y.length - 365 * 24)
  const all = Array.from({ length: frame.y.length - first }, (_, i): [number, undefined] => [first + i, undefined])
  const covered = new Map<number, HourlyWeather>()
  for (const run of runs.map(toHourlyWeather))
    for (let hour = run.first; hour < run.first + run.count; hour++)
      if (!Number.isNaN(run.at('ghi', hour))) covered.set(hour - frame.firstDay * 24, run)
  return { clear: computeRatio(frame, place, all) ?? 1, weather: computeRatio(frame, place, covered) }
}

/** ± 50 % at the levels of an 80 % band. */
export const computeBandAroundModel = (value: number, levels: number[]): number[] =>
  levels.map((level) => Math.min(1.05, Math.max(0, value * (1 + (0.5 * (level - 0.5)) / 0.4))))

import type { Place } from '../model/climate.ts'
import { type Plant, pvWatts } from '../model/pv.ts'
import type { Sky } from '../model/weather.ts'
import type { Frame } from './frame.ts'
import { HOUR, type Run } from './types.ts'
import { type Announced, announced } from './weather-hours.ts'

/** Nobody said how the panels stand: the usual roof. */
const plantOf = (peakWatts: number, place: Place): Plant => {
  return { peakWatts, place, tilt: 35, azimuth: place.latitude < 0 ? 0 : 180 }
}

function skyOfRun(run: Announced, hour: number, level: number): Sky {
  const temperature = run.at('temperature', hour)
  const clearness = level > 0 ? Math.min(1.2, Math.max(0, run.at('ghi', hour)) / level) : 0
  return () => ({ clearness, temperature: Number.isNaN(temperature) ? 15 : temperature })
}

/** The physical model of an hour as a part of the peak power, under a cloudless sky or the announced one. */
export function modelled(frame: Frame, at: number, place: Place, run?: Announced): number {
  const hour = frame.firstDay * 24 + at
  const sky = run && skyOfRun(run, hour, frame.light.level[at] ?? 0)
  // A plant of a thousand kilowatts, so that whole watts cost no precision.
  return (pvWatts(plantOf(1e6, place), hour * HOUR, 1, HOUR, sky)[0] ?? 0) / 1e6
}

function ratio(frame: Frame, place: Place, hours: Iterable<[number, Announced | undefined]>): number | null {
  let [measured, model] = [0, 0]
  for (const [at, run] of hours) {
    const value = frame.y[at] ?? Number.NaN
    if (Number.isNaN(value) || (frame.light.level[at] ?? 0) <= 0) continue
    measured += value
    model += modelled(frame, at, place, run)
  }
  return model > 0 ? Number((measured / model).toPrecision(6)) : null
}

/** Σ measured by Σ modelled over the last year; 1 where nothing was measured. */
export function scaleOf(frame: Frame, place: Place, runs: Run[]): { clear: number; weather: number | null } {
  const first = Math.max(0, frame.y.length - 365 * 24)
  const all = Array.from({ length: frame.y.length - first }, (_, i): [number, undefined] => [first + i, undefined])
  const covered = new Map<number, Announced>()
  for (const run of runs.map(announced))
    for (let hour = run.first; hour < run.first + run.count; hour++)
      if (!Number.isNaN(run.at('ghi', hour))) covered.set(hour - frame.firstDay * 24, run)
  return { clear: ratio(frame, place, all) ?? 1, weather: ratio(frame, place, covered) }
}

/** ± 50 % at the levels of an 80 % band. */
export const aroundModel = (value: number, levels: number[]): number[] =>
  levels.map((level) => Math.min(1.05, Math.max(0, value * (1 + (0.5 * (level - 0.5)) / 0.4))))

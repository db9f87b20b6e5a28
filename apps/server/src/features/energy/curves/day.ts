import { MISSING } from '@voisol/energy/series'
import type { Quality, Readings } from '../../../core/readings.ts'

/** Implausible to the distributor itself. */
export const DOUBTFUL = 4
export const ESTIMATED = 3
export const CORRECTED = 2
export const RAW = 1

export type Facts = { present: number; expected: number; energy: number; peak: number }

/** Energy in watt-minutes of what is known, and the highest value. */
export function factsOf({ step, watts }: Readings): Facts {
  let present = 0
  let sum = 0
  let peak = 0
  for (let at = 0; at < watts.length; at++) {
    const value = watts[at] ?? MISSING
    if (value < 0) continue
    present++
    sum += value
    if (value > peak) peak = value
  }
  return { present, expected: watts.length, energy: sum * step, peak }
}

export const markAt = ({ watts, marks, quality }: Readings, at: number): number =>
  (watts[at] ?? MISSING) < 0 ? 0 : (marks?.[at] ?? quality)

/** Marks are kept only where they differ; `quality` is then the weakest of them. */
export function tidyMarks(readings: Readings): Readings {
  const { step, watts, marks } = readings
  if (!marks) return readings
  let weakest = 0
  let same = true
  for (let at = 0; at < watts.length; at++) {
    const mark = markAt(readings, at)
    if (mark === 0) continue
    if (weakest !== 0 && mark !== weakest) same = false
    if (mark > weakest) weakest = mark
  }
  const quality = (weakest || RAW) as Quality // marks hold 0 to 4
  if (same) return { step, watts, marks: null, quality }
  return { step, watts, marks: Uint8Array.from(watts, (_, at) => markAt(readings, at)), quality }
}

import { MISSING } from '@voisol/energy/series'
import type { DayReadings, ReadingQuality } from '../../../core/readings.ts'

/** Implausible according to the distributor. */
export const DOUBTFUL_MARK = 4
export const ESTIMATED_MARK = 3
export const CORRECTED_MARK = 2
export const RAW_MARK = 1

type CurveDayFacts = { present: number; expected: number; energy: number; peak: number }

/** Energy in watt-minutes of the known steps, and the highest value. */
export function computeCurveDayFacts({ step, watts }: DayReadings): CurveDayFacts {
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

export const getMarkAt = ({ watts, marks, quality }: DayReadings, at: number): number =>
  (watts[at] ?? MISSING) < 0 ? 0 : (marks?.[at] ?? quality)

/** Marks are only stored when they differ; `quality` is then the weakest of them. */
export function normalizeMarks(readings: DayReadings): DayReadings {
  const { step, watts, marks } = readings
  if (!marks) return readings
  let weakest = 0
  let isUniform = true
  for (let at = 0; at < watts.length; at++) {
    const mark = getMarkAt(readings, at)
    if (mark === 0) continue
    if (weakest !== 0 && mark !== weakest) isUniform = false
    if (mark > weakest) weakest = mark
  }
  const quality = (weakest || RAW_MARK) as ReadingQuality // marks hold 0 to 4
  if (isUniform) return { step, watts, marks: null, quality }
  return { step, watts, marks: Uint8Array.from(watts, (_, at) => getMarkAt(readings, at)), quality }
}

import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step, toEnergySteps } from '@voisol/energy/series'
import type { DayReadings } from '../../../core/readings.ts'
import { getMarkAt } from './day.ts'

/** Watt-minutes per step, MISSING when a part is unknown; the mark is the weakest of the parts. */
export type AlignedCurve = { values: Int32Array; marks: Uint8Array }
/** Half-open range of days; without end when `to` is null. */
export type OpenDayRange = { from: string; to: string | null }

export const isWithinRanges = (ranges: OpenDayRange[], day: string) =>
  ranges.some(({ from, to }) => day >= from && (to === null || day < to))

export function createUnknownCurve(from: string, to: string, step: Step): AlignedCurve {
  const length = Math.max(0, (dayStart(to) - dayStart(from)) / step)
  return { values: new Int32Array(length).fill(MISSING), marks: new Uint8Array(length) }
}

/** Writes a day's readings into the steps from `at` on. */
export function placeReadings(
  { values, marks }: AlignedCurve,
  day: DayReadings,
  startsAt: number,
  at: number,
  step: Step,
): void {
  const { watts } = day
  if (day.step !== step) {
    values.set(toEnergySteps({ startsAt, step: day.step, watts }, step), at)
    setPartMarks(values, marks, day, at, step)
    return
  }
  for (let n = 0; n < watts.length; n++) {
    const value = watts[n] ?? MISSING
    if (value < 0) continue
    values[at + n] = value * step
    marks[at + n] = day.marks?.[n] ?? day.quality
  }
}

function setPartMarks(values: Int32Array, marks: Uint8Array, day: DayReadings, at: number, step: Step): void {
  const steps = (day.watts.length * day.step) / step
  for (let n = 0; n < steps; n++) {
    if ((values[at + n] ?? MISSING) < 0) continue
    const last = Math.floor(((n + 1) * step - 1) / day.step)
    let mark = 0
    for (let part = Math.floor((n * step) / day.step); part <= last; part++) mark = Math.max(mark, getMarkAt(day, part))
    marks[at + n] = mark
  }
}

/** Removes the days that the reader may not see. */
export function hideOutsideRanges(
  { values, marks }: AlignedCurve,
  ranges: OpenDayRange[],
  from: string,
  to: string,
  step: Step,
): void {
  let at = 0
  for (const day of listDays(from, to)) {
    const next = at + stepsOfDay(day, step)
    if (!isWithinRanges(ranges, day)) {
      values.fill(MISSING, at, next)
      marks.fill(0, at, next)
    }
    at = next
  }
}

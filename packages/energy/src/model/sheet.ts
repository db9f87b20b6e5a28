import { getElapsedMinutes, type ModelDay } from './load-day.ts'

/** The watts of one day being written, slot by slot; what runs past midnight is kept in the tail for the next day. */
export type DayLoad = { width: number; watts: Float64Array }

const MAX_DAY_MINUTES = 1500
const TAIL_MINUTES = 720

export const createDayLoad = (width: number): DayLoad => ({
  width,
  watts: new Float64Array((MAX_DAY_MINUTES + TAIL_MINUTES) / width),
})

/** Adds a constant load from a time of the wall clock on, with its exact energy whatever the width of the slots. */
export function addSteadyDraw(sheet: DayLoad, day: ModelDay, wall: number, minutes: number, watts: number): void {
  const from = Math.max(0, getElapsedMinutes(day, wall))
  const to = Math.min(from + minutes, day.minutes + TAIL_MINUTES)
  for (let slot = Math.floor(from / sheet.width); slot * sheet.width < to; slot++) {
    const start = slot * sheet.width
    const part = Math.min(to, start + sheet.width) - Math.max(from, start)
    sheet.watts[slot] = (sheet.watts[slot] ?? 0) + (watts * part) / sheet.width
  }
}

/** Starts the next day: the tail becomes its first hours. */
export function moveToNextDay(sheet: DayLoad, day: ModelDay): void {
  const slots = day.minutes / sheet.width
  sheet.watts.copyWithin(0, slots)
  sheet.watts.fill(0, sheet.watts.length - slots)
}

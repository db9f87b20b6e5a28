import { elapsed, type LoadDay } from './load-day.ts'

/** The watts of one day being written, slot by slot; what runs past midnight waits in the tail for the next day. */
export type Sheet = { width: number; watts: Float64Array }

const LONGEST_DAY = 1500
const TAIL = 720

export const sheetOf = (width: number): Sheet => ({ width, watts: new Float64Array((LONGEST_DAY + TAIL) / width) })

/** Adds a steady draw from a time of the wall clock on, exactly, whatever the width of the slots. */
export function addRun(sheet: Sheet, day: LoadDay, wall: number, minutes: number, watts: number): void {
  const from = Math.max(0, elapsed(day, wall))
  const to = Math.min(from + minutes, day.minutes + TAIL)
  for (let slot = Math.floor(from / sheet.width); slot * sheet.width < to; slot++) {
    const start = slot * sheet.width
    const part = Math.min(to, start + sheet.width) - Math.max(from, start)
    sheet.watts[slot] = (sheet.watts[slot] ?? 0) + (watts * part) / sheet.width
  }
}

/** Turns the page: the tail becomes the small hours of the next day. */
export function turn(sheet: Sheet, day: LoadDay): void {
  const slots = day.minutes / sheet.width
  sheet.watts.copyWithin(0, slots)
  sheet.watts.fill(0, sheet.watts.length - slots)
}

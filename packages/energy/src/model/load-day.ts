/** What a load model needs of a local day; sunrise and sunset are minutes of the wall clock. */
export type ModelDay = {
  day: string
  /** Days since 1970: the key of the day's random draws. */
  index: number
  startsAt: number
  minutes: number
  year: number
  month: number
  /** 1 for 1 January. */
  ordinal: number
  weekday: number
  /** Public holiday. */
  holiday: boolean
  /** School holiday, roughly: the zones differ by a week or two. */
  vacation: boolean
  sunrise: number
  sunset: number
}

/** Minutes since local midnight of a time on the wall clock; the clock changes between 2 and 3 in the morning. */
const getElapsedMinutes = (day: ModelDay, wall: number) => (wall < 180 ? wall : wall - 1440 + day.minutes)

/** The inverse: the wall clock at a number of minutes since local midnight. */
export function toWallMinute(day: ModelDay, since: number): number {
  const shift = 1440 - day.minutes
  return since < (shift > 0 ? 120 : 180) ? since : since + shift
}

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

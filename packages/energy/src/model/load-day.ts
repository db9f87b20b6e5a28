import { addDays, dayStart, holidays, localTime, stepsOfDay } from '../calendar/calendar.ts'
import { FRANCE_CENTRE } from './climate.ts'
import { computeSunrise, computeSunset } from './sun.ts'

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

/** First and last day, as month × 100 + date, of the breaks of a school year, the same every year. */
const SCHOOL_BREAKS = [
  [101, 105],
  [214, 301],
  [411, 427],
  [705, 831],
  [1018, 1103],
  [1220, 1231],
] as const

const toWallClock = (minute: number | null, fallback: number) =>
  minute === null ? fallback : localTime(minute).minuteOfDay

function toModelDay(day: string, off: Set<string>): ModelDay {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const startsAt = dayStart(day)
  // Taken at noon, so that a clock change at night has no effect.
  const noon = startsAt + 720
  const index = Math.floor(noon / 1440)
  const code = month * 100 + date
  return {
    day,
    index,
    startsAt,
    minutes: stepsOfDay(day, 5) * 5,
    year,
    month,
    ordinal: index - Math.floor((dayStart(`${year}-01-01`) + 720) / 1440) + 1,
    weekday: localTime(noon).weekday,
    holiday: off.has(day),
    vacation: SCHOOL_BREAKS.some(([from, to]) => code >= from && code <= to),
    sunrise: toWallClock(computeSunrise(day, FRANCE_CENTRE.latitude, FRANCE_CENTRE.longitude), 0),
    sunset: toWallClock(computeSunset(day, FRANCE_CENTRE.latitude, FRANCE_CENTRE.longitude), 1440),
  }
}

function buildModelDays(from: number, to: number): ModelDay[] {
  const days: ModelDay[] = []
  const off = new Set<string>()
  let year = ''
  for (let day = localTime(from).day; dayStart(day) < to; day = addDays(day, 1)) {
    if (day.slice(0, 4) !== year) {
      year = day.slice(0, 4)
      for (const holiday of holidays(Number(year))) off.add(holiday)
    }
    days.push(toModelDay(day, off))
  }
  return days
}

let cachedDays: { from: number; to: number; days: readonly ModelDay[] } = { from: 0, to: 0, days: [] }

/**
 * The days that overlap [from, to), in epoch minutes; cached for the next point, which mostly asks for the same period.
 */
export function listModelDays(from: number, to: number): readonly ModelDay[] {
  if (cachedDays.from !== from || cachedDays.to !== to) cachedDays = { from, to, days: buildModelDays(from, to) }
  return cachedDays.days
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

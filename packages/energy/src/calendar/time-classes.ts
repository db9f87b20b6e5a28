import { addDays, type Day, dayStart, localTime, offsetAt, type Step } from './calendar.ts'

export const TIME_CLASSES = ['P', 'HPH', 'HCH', 'HPB', 'HCB'] as const
export type TimeClass = (typeof TIME_CLASSES)[number]

/** Off-peak ranges in minutes of the wall clock (one may pass midnight); `peak` adds the class P (peak hours). */
export type TimeCalendar = { offPeak: [number, number][]; peak: boolean }
export const DEFAULT_CALENDAR: TimeCalendar = { offPeak: [[22 * 60, 6 * 60]], peak: false }

const HIGH_SEASON = new Set([11, 12, 1, 2, 3])
const PEAK_SEASON = new Set([12, 1, 2])
const PEAK_HOURS = new Set([9, 10, 18, 19])

const isInRange = (minute: number, [from, to]: [number, number]) =>
  from <= to ? minute >= from && minute < to : minute >= from || minute < to

type Season = { high: boolean; peak: boolean }

function getSeason(day: Day, weekday: number, calendar: TimeCalendar): Season {
  const month = Number(day.slice(5, 7))
  return { high: HIGH_SEASON.has(month), peak: calendar.peak && PEAK_SEASON.has(month) && weekday !== 7 }
}

function getClassIndex(minuteOfDay: number, { high, peak }: Season, calendar: TimeCalendar): number {
  if (peak && PEAK_HOURS.has(Math.floor(minuteOfDay / 60))) return 0
  const offPeak = calendar.offPeak.some((range) => isInRange(minuteOfDay, range))
  return 1 + (high ? 0 : 2) + (offPeak ? 1 : 0)
}

/** The time class in force at an instant (epoch minutes, UTC). */
export function getTimeClass(minute: number, calendar: TimeCalendar): TimeClass {
  const { day, minuteOfDay, weekday } = localTime(minute)
  return TIME_CLASSES[getClassIndex(minuteOfDay, getSeason(day, weekday, calendar), calendar)] ?? 'HPB'
}

/** Index in TIME_CLASSES of each step of [from, to), taken at the start of the step. */
export function computeTimeClasses(from: number, to: number, step: Step, calendar: TimeCalendar): Uint8Array {
  const classes = new Uint8Array(Math.max(0, Math.ceil((to - from) / step)))
  let at = 0
  while (at < classes.length) {
    const { day, weekday } = localTime(from + at * step)
    const season = getSeason(day, weekday, calendar)
    const midnight = dayStart(addDays(day, 1))
    for (; at < classes.length && from + at * step < midnight; at++) {
      const minute = from + at * step
      classes[at] = getClassIndex((minute + offsetAt(minute)) % 1440, season, calendar)
    }
  }
  return classes
}

import type { SupportHours } from '@voisol/contract/support-desk'
import { addDays, holidays } from '@voisol/energy/calendar'
import { computeEasterEpochDay } from '@voisol/energy/civil'

/** When a desk is open: whole minutes since 1970, half-open. */
type OpenInterval = { from: number; to: number }
export type OpeningHours = Pick<SupportHours, 'days' | 'from' | 'to' | 'alsaceMoselle'>

const PARIS = 'Europe/Paris'
const MINUTE_MS = 60_000
/** A desk that opens one day a week, over the longest run of holidays, is open again long before. */
const MAX_DAYS = 4000

export const toEpochMinute = (at: Date) => Math.floor(at.getTime() / MINUTE_MS)
const fromEpochMinute = (minute: number) => new Date(minute * MINUTE_MS)
const toParisTime = (minute: number) =>
  Temporal.Instant.fromEpochMilliseconds(minute * MINUTE_MS).toZonedDateTimeISO(PARIS)
/** A clock time of a day, as it is read on the wall: on a day that the clock changes, an hour earlier or later. */
const getWallClockMinute = (day: string, clock: string) =>
  Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(PARIS).toInstant().epochMilliseconds / MINUTE_MS

const EPOCH = Temporal.PlainDate.from('1970-01-01')
/** Good Friday and 26 December are holidays in Moselle, Bas-Rhin and Haut-Rhin. */
const isAlsaceMoselleHoliday = (day: string) =>
  day.slice(5) === '12-26' || day === EPOCH.add({ days: computeEasterEpochDay(Number(day.slice(0, 4))) - 2 }).toString()

export function isOpenDay(day: string, { days, alsaceMoselle }: OpeningHours): boolean {
  const { dayOfWeek, year } = Temporal.PlainDate.from(day)
  return days.includes(dayOfWeek) && !holidays(year).includes(day) && !(alsaceMoselle && isAlsaceMoselleHoliday(day))
}

function* generateOpenIntervals(minute: number, hours: OpeningHours): Generator<OpenInterval> {
  let day = toParisTime(minute).toPlainDate().toString()
  for (let count = 0; count < MAX_DAYS; count++, day = addDays(day, 1)) {
    if (!isOpenDay(day, hours)) continue
    const open = { from: Math.max(getWallClockMinute(day, hours.from), minute), to: getWallClockMinute(day, hours.to) }
    if (open.from < open.to) yield open
  }
}

/** Minutes of opening between two instants; none where the second comes first. */
export function countWorkingMinutes(from: Date, to: Date, hours: OpeningHours): number {
  const end = toEpochMinute(to)
  let sum = 0
  for (const open of generateOpenIntervals(toEpochMinute(from), hours)) {
    if (open.from >= end) break
    sum += Math.min(open.to, end) - open.from
  }
  return sum
}

/** When that many minutes of opening have passed. */
export function addWorkingMinutes(from: Date, minutes: number, hours: OpeningHours): Date {
  let left = Math.max(0, minutes)
  for (const open of generateOpenIntervals(toEpochMinute(from), hours)) {
    if (left <= open.to - open.from) return fromEpochMinute(open.from + left)
    left -= open.to - open.from
  }
  throw new Error('a desk that never opens promises nothing')
}

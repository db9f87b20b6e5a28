import type { SupportHours } from '@voisol/contract/support-desk'
import { addDays, holidays } from '@voisol/energy/calendar'
import { easter } from '@voisol/energy/civil'

/** When a desk is open: whole minutes since 1970, half-open. */
type Open = { from: number; to: number }
export type Hours = Pick<SupportHours, 'days' | 'from' | 'to' | 'alsaceMoselle'>

const PARIS = 'Europe/Paris'
const MINUTE_MS = 60_000
/** A desk that opens one day a week, over the longest run of holidays, is open again long before. */
const MOST_DAYS = 4000

export const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS)
const instantOf = (minute: number) => new Date(minute * MINUTE_MS)
const zoned = (minute: number) => Temporal.Instant.fromEpochMilliseconds(minute * MINUTE_MS).toZonedDateTimeISO(PARIS)
/** A clock time of a day, as it is read on the wall: on a day that the clock changes, an hour earlier or later. */
const at = (day: string, clock: string) =>
  Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(PARIS).toInstant().epochMilliseconds / MINUTE_MS

const EPOCH = Temporal.PlainDate.from('1970-01-01')
/** Good Friday and 26 December are holidays in Moselle, Bas-Rhin and Haut-Rhin. */
const ofAlsace = (day: string) =>
  day.slice(5) === '12-26' || day === EPOCH.add({ days: easter(Number(day.slice(0, 4))) - 2 }).toString()

export function isOpenDay(day: string, { days, alsaceMoselle }: Hours): boolean {
  const { dayOfWeek, year } = Temporal.PlainDate.from(day)
  return days.includes(dayOfWeek) && !holidays(year).includes(day) && !(alsaceMoselle && ofAlsace(day))
}

function* openFrom(minute: number, hours: Hours): Generator<Open> {
  let day = zoned(minute).toPlainDate().toString()
  for (let count = 0; count < MOST_DAYS; count++, day = addDays(day, 1)) {
    if (!isOpenDay(day, hours)) continue
    const open = { from: Math.max(at(day, hours.from), minute), to: at(day, hours.to) }
    if (open.from < open.to) yield open
  }
}

/** Minutes of opening between two instants; none where the second comes first. */
export function workingMinutes(from: Date, to: Date, hours: Hours): number {
  const end = minuteOf(to)
  let sum = 0
  for (const open of openFrom(minuteOf(from), hours)) {
    if (open.from >= end) break
    sum += Math.min(open.to, end) - open.from
  }
  return sum
}

/** When that many minutes of opening have passed. */
export function afterWorking(from: Date, minutes: number, hours: Hours): Date {
  let left = Math.max(0, minutes)
  for (const open of openFrom(minuteOf(from), hours)) {
    if (left <= open.to - open.from) return instantOf(open.from + left)
    left -= open.to - open.from
  }
  throw new Error('a desk that never opens promises nothing')
}

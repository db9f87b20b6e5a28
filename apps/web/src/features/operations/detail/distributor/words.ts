import type { PointStanding } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { date } from '../../../../lib/format.ts'
import { todayInParis } from '../../../../ui/period/period.ts'

const DAY_MINUTES = 1440
const LATE_DAYS = 3

type Stay = Pick<PointStanding, 'startsOn' | 'endsOn'>
export const takesPart = ({ startsOn, endsOn }: Stay, today = todayInParis()) =>
  startsOn <= today && (endsOn === null || endsOn > today)

/** Its readings should have come by now: those of its last day, where it has left. */
export function isLate({ receivedUntil, ...stay }: PointStanding, today = todayInParis()): boolean {
  const due = addDays(today, -LATE_DAYS)
  if (stay.startsOn > due) return false
  const last = stay.endsOn === null ? due : addDays(stay.endsOn, -1)
  return !receivedUntil || receivedUntil < (last < due ? last : due)
}

export const noon = (day: string) => date(`${day}T12:00:00Z`)

/** « du 01/01/2026 au 30/06/2026 exclu »: an end is the first day that no longer counts. */
export const datesWords = ({ startsOn, endsOn }: { startsOn: string | null; endsOn: string | null }) =>
  [startsOn ? `depuis le ${noon(startsOn)}` : 'début inconnu', endsOn && `jusqu’au ${noon(endsOn)} exclu`]
    .filter(Boolean)
    .join(', ')

export const datesDiffer = ({ startsOn, endsOn, theirs }: PointStanding) =>
  theirs !== null && (theirs.startsOn !== startsOn || theirs.endsOn !== endsOn)

/** Minutes after the end of a day, as one would say it: « le lendemain vers 9 h 40 ». */
export function arrivalWords(minutes: number) {
  const days = Math.floor(minutes / DAY_MINUTES)
  const hour = Math.floor((minutes % DAY_MINUTES) / 60)
  const minute = String(Math.floor(minutes % 60)).padStart(2, '0')
  const when = days === 0 ? 'Le lendemain' : `${days + 1}\u00a0jours après`
  return `${when} vers ${hour}\u00a0h\u00a0${minute}`
}

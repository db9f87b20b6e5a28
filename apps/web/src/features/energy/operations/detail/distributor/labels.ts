import type { PointSyncStatus } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { getTodayInParis } from '../../../../../components/period/period.ts'
import { formatDate } from '../../../../../lib/format.ts'

const DAY_MINUTES = 1440
const LATE_DAYS = 3

/** Its readings should have come by now: those of its last day, where it has left. */
export function isPointLate({ receivedUntil, ...participation }: PointSyncStatus, today = getTodayInParis()): boolean {
  const due = addDays(today, -LATE_DAYS)
  if (participation.startsOn > due) return false
  const last = participation.endsOn === null ? due : addDays(participation.endsOn, -1)
  return !receivedUntil || receivedUntil < (last < due ? last : due)
}

export const formatDistributorDay = (day: string) => formatDate(`${day}T12:00:00Z`)

/** « du 01/01/2026 au 30/06/2026 exclu »: an end is the first day that no longer counts. */
export const formatParticipationDates = ({ startsOn, endsOn }: { startsOn: string | null; endsOn: string | null }) =>
  [
    startsOn ? `depuis le ${formatDistributorDay(startsOn)}` : 'début inconnu',
    endsOn && `jusqu’au ${formatDistributorDay(endsOn)} exclu`,
  ]
    .filter(Boolean)
    .join(', ')

export const hasDateMismatch = ({ startsOn, endsOn, theirs }: PointSyncStatus) =>
  theirs !== null && (theirs.startsOn !== startsOn || theirs.endsOn !== endsOn)

/** Minutes after the end of a day, as one would say it: « le lendemain vers 9 h 40 ». */
export function formatArrivalTime(minutes: number) {
  const days = Math.floor(minutes / DAY_MINUTES)
  const hour = Math.floor((minutes % DAY_MINUTES) / 60)
  const minute = String(Math.floor(minutes % 60)).padStart(2, '0')
  const when = days === 0 ? 'Le lendemain' : `${days + 1}\u00a0jours après`
  return `${when} vers ${hour}\u00a0h\u00a0${minute}`
}

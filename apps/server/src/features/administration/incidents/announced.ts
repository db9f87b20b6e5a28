import type { StatusPartName } from '@voisol/contract/incident-words'
import type { Incident } from '@voisol/contract/incidents'

const PARIS = 'Europe/Paris'
const toParisDay = (instant: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(PARIS).toPlainDate()

/** Up to the announced end: what lasts longer was not announced. One that was called off announces nothing. */
function listMaintenanceDays({ kind, state, startsAt, endsAt, closedAt }: Incident): string[] {
  if (kind !== 'maintenance' || state === 'cancelled' || !endsAt) return []
  const end = closedAt && closedAt < endsAt ? closedAt : endsAt
  // One that ended before its hour was not.
  if (end <= startsAt) return []
  // Half-open: one that ends at midnight is not of the day that begins.
  const last = toParisDay(Temporal.Instant.from(end).subtract({ milliseconds: 1 }).toString())
  const days: string[] = []
  for (let day = toParisDay(startsAt); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
    days.push(day.toString())
  return days
}

/** The days of Paris for which a maintenance of a part was announced. */
export const getAnnouncedDays = (incidents: Incident[], part: StatusPartName): Set<string> =>
  new Set(incidents.filter(({ parts }) => parts.includes(part)).flatMap(listMaintenanceDays))

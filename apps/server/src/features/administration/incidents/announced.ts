import type { StatusPartName } from '@voisol/contract/incident-words'
import type { Incident } from '@voisol/contract/incidents'

const PARIS = 'Europe/Paris'
const toParisDay = (instant: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(PARIS).toPlainDate()

/**
 * Counts up to the announced end only; a longer duration was not announced, and a cancelled maintenance announces
 * nothing.
 */
function listMaintenanceDays({ kind, state, startsAt, endsAt, closedAt }: Incident): string[] {
  if (kind !== 'maintenance' || state === 'cancelled' || !endsAt) return []
  const end = closedAt && closedAt < endsAt ? closedAt : endsAt
  // A maintenance that ended before its start hour did not take place.
  if (end <= startsAt) return []
  // The interval is half-open: a maintenance that ends at midnight does not count for the next day.
  const last = toParisDay(Temporal.Instant.from(end).subtract({ milliseconds: 1 }).toString())
  const days: string[] = []
  for (let day = toParisDay(startsAt); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
    days.push(day.toString())
  return days
}

/** The Paris days on which a maintenance of a component was announced. */
export const getAnnouncedDays = (incidents: Incident[], part: StatusPartName): Set<string> =>
  new Set(incidents.filter(({ parts }) => parts.includes(part)).flatMap(listMaintenanceDays))

import { NEXT_INCIDENT_STATES, type StatusPartName } from '@voisol/contract/incident-states'
import type { Incident, IncidentState } from '@voisol/contract/incidents'
import { desc, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { incidents, incidentUpdates } from '../../../db/schema/index.ts'

export type IncidentRow = typeof incidents.$inferSelect
type UpdateRow = typeof incidentUpdates.$inferSelect

const MAX_LISTED_INCIDENTS = 200
const DAY_MS = 86_400_000
/** The same period as the availability history. */
const PUBLIC_DAYS = 90

export const isIncidentOver = (state: string) => NEXT_INCIDENT_STATES[state as IncidentState].length === 0 // written by this feature alone

/** A maintenance starts by itself at its hour, but only a person closes it. */
export const getIncidentState = ({ state, startsAt }: IncidentRow, now = new Date()): IncidentState =>
  state === 'planned' && startsAt <= now ? 'ongoing' : (state as IncidentState) // as above

const toIncidentUpdate = ({ id, at, state, message }: UpdateRow) => ({
  id,
  at: at.toISOString(),
  state: state as IncidentState, // as above
  message,
})

export const toIncident = (row: IncidentRow, updates: UpdateRow[]): Incident => ({
  id: row.id,
  kind: row.kind as Incident['kind'], // the column has a CHECK constraint
  title: row.title,
  parts: row.parts as StatusPartName[], // parsed by the contract
  severity: row.severity as Incident['severity'], // likewise
  state: getIncidentState(row),
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt?.toISOString() ?? null,
  closedAt: row.closedAt?.toISOString() ?? null,
  updates: updates.filter(({ incidentId }) => incidentId === row.id).map(toIncidentUpdate),
  version: row.version,
})

async function loadWithUpdates(db: Db, rows: IncidentRow[]): Promise<Incident[]> {
  const ids = rows.map(({ id }) => id)
  const updates = await db
    .select()
    .from(incidentUpdates)
    .where(inArray(incidentUpdates.incidentId, ids))
    .orderBy(desc(incidentUpdates.at), desc(incidentUpdates.id))
  return rows.map((row) => toIncident(row, updates))
}

export const loadIncidentView = async (db: Db, row: IncidentRow): Promise<Incident> => {
  const [view] = await loadWithUpdates(db, [row])
  if (!view) throw new Error('an incident without a view')
  return view
}

const NEWEST_FIRST = [desc(incidents.startsAt), desc(incidents.id)]

export const listAllIncidents = async (db: Db): Promise<Incident[]> =>
  loadWithUpdates(
    db,
    await db
      .select()
      .from(incidents)
      .orderBy(...NEWEST_FIRST)
      .limit(MAX_LISTED_INCIDENTS),
  )

/** What the public page shows: open incidents, and those of the last 90 days. */
export async function listPublicIncidents(db: Db): Promise<Incident[]> {
  const since = new Date(Date.now() - PUBLIC_DAYS * DAY_MS)
  const isPublic = or(isNull(incidents.closedAt), gt(incidents.closedAt, since))
  const rows = await db
    .select()
    .from(incidents)
    .where(isPublic)
    .orderBy(...NEWEST_FIRST)
    .limit(MAX_LISTED_INCIDENTS)
  return loadWithUpdates(db, rows)
}

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

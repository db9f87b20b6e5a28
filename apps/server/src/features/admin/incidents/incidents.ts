import type { EventName } from '@voisol/contract/events'
import { ALL_INCIDENT_STATES, NEXT_INCIDENT_STATES } from '@voisol/contract/incident-states'
import type { Incident, IncidentNews, NewIncident, NewMaintenance } from '@voisol/contract/incidents'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { incidents, incidentUpdates } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { normalizePlainText, toSingleLine } from '../../../plain-text.ts'
import { getIncidentState, type IncidentRow, isIncidentOver, loadIncidentView, toIncident } from './incident-queries.ts'

const MAX_MAINTENANCE_DAYS = 7
const DAY_MS = 86_400_000

/** A maintenance must lie in the future and have an end; anything else is an incident. */
function requireWindow(startsAt: Date, endsAt: Date) {
  if (startsAt <= new Date())
    throw fieldError(
      'startsAt',
      'Une maintenance s’annonce avant de commencer\u00a0: pour ce qui est déjà en cours, ouvrez un incident.',
    )
  if (endsAt <= startsAt) throw fieldError('endsAt', 'La fin doit venir après le début.')
  if (endsAt.getTime() - startsAt.getTime() > MAX_MAINTENANCE_DAYS * DAY_MS)
    throw fieldError(
      'endsAt',
      `Une maintenance dure ${MAX_MAINTENANCE_DAYS} jours au plus\u00a0: annoncez-en plusieurs.`,
    )
}

/** Stores an update and records its event, from which the recipients are notified. */
async function publishUpdate(
  tx: Db,
  { companyId }: Actor,
  row: IncidentRow,
  name: EventName & `incident.${string}`,
  text: string,
) {
  const message = normalizePlainText(text)
  const [update] = await tx
    .insert(incidentUpdates)
    .values({ incidentId: row.id, state: row.state, message })
    .returning()
  if (!update) throw new AppError('internal')
  const { kind, title, parts, severity, state, startsAt, endsAt } = toIncident(row, [])
  const data = {
    incidentId: row.id,
    updateId: update.id,
    kind,
    title,
    parts,
    severity,
    state,
    message,
    startsAt,
    endsAt,
  }
  await recordEvent(tx, { companyId, name, object: row.id, data, once: update.id })
  return loadIncidentView(tx, row)
}

const insertIncident = async (tx: Db, values: typeof incidents.$inferInsert): Promise<IncidentRow> => {
  const [row] = await tx.insert(incidents).values(values).returning()
  if (!row) throw new AppError('internal')
  return row
}
const removeDuplicates = <T>(parts: T[]) => [...new Set(parts)]

export async function openIncident(tx: Db, actor: Actor, input: z.output<typeof NewIncident>): Promise<Incident> {
  const { title, parts, severity, state } = input
  const values = {
    kind: 'incident',
    title: toSingleLine(title),
    parts: removeDuplicates(parts),
    severity,
    state,
    startsAt: new Date(),
  }
  return publishUpdate(tx, actor, await insertIncident(tx, values), 'incident.opened', input.message)
}

export async function planMaintenance(tx: Db, actor: Actor, input: z.output<typeof NewMaintenance>): Promise<Incident> {
  const [startsAt, endsAt] = [new Date(input.startsAt), new Date(input.endsAt)]
  requireWindow(startsAt, endsAt)
  const { title, parts } = input
  const values = {
    kind: 'maintenance',
    title: toSingleLine(title),
    parts: removeDuplicates(parts),
    state: 'planned',
    startsAt,
    endsAt,
  }
  return publishUpdate(tx, actor, await insertIncident(tx, values), 'incident.opened', input.message)
}

type IncidentUpdateInput = z.output<typeof IncidentNews>

/** The time window can change only until the maintenance begins. */
function getNewWindow(row: IncidentRow, news: IncidentUpdateInput): { startsAt: Date; endsAt: Date } | undefined {
  if (news.startsAt === undefined && news.endsAt === undefined) return undefined
  if (row.kind !== 'maintenance' || getIncidentState(row) !== 'planned' || news.state !== 'planned' || !row.endsAt)
    throw fieldError('startsAt', 'Seule une maintenance qui n’a pas commencé change d’horaire.')
  const startsAt = news.startsAt ? new Date(news.startsAt) : row.startsAt
  const endsAt = news.endsAt ? new Date(news.endsAt) : row.endsAt
  requireWindow(startsAt, endsAt)
  return { startsAt, endsAt }
}

export async function updateIncident(tx: Db, actor: Actor, id: string, news: IncidentUpdateInput): Promise<Incident> {
  const [row] = await tx.select().from(incidents).where(eq(incidents.id, id)).for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version: news.version })
  const now = getIncidentState(row)
  if (!NEXT_INCIDENT_STATES[now].includes(news.state))
    throw fieldError(
      'state',
      isIncidentOver(now)
        ? `Il n’y a plus rien à publier\u00a0: c’est «\u00a0${ALL_INCIDENT_STATES[now]}\u00a0».`
        : `«\u00a0${ALL_INCIDENT_STATES[now]}\u00a0» ne peut pas devenir «\u00a0${ALL_INCIDENT_STATES[news.state]}\u00a0».`,
    )
  const over = isIncidentOver(news.state)
  const change = {
    state: news.state,
    version: row.version + 1,
    ...getNewWindow(row, news),
    ...(over && { closedAt: new Date() }),
  }
  const [saved] = await tx.update(incidents).set(change).where(eq(incidents.id, id)).returning()
  if (!saved) throw new AppError('not-found')
  return publishUpdate(tx, actor, saved, over ? 'incident.resolved' : 'incident.updated', news.message)
}

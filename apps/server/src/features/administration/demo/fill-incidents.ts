import { sql } from 'drizzle-orm'
import { loadSiteOwnerId } from '../../../core/site-company.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { incidents, incidentUpdates } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'

const HOUR_MS = 3_600_000
type UpdateDraft = { hours: number; state: string; message: string }
type IncidentValues = typeof incidents.$inferInsert & { id: string }

const DELAYED_MAIL_UPDATES: UpdateDraft[] = [
  { hours: 0, state: 'investigating', message: 'Les e-mails partent avec du retard. Nous cherchons pourquoi.' },
  {
    hours: 0.6,
    state: 'identified',
    message:
      'Le serveur d’envoi de notre prestataire refuse des connexions. Rien n’est perdu\u00a0: les messages attendent.',
  },
  { hours: 1.3, state: 'monitoring', message: 'Les envois ont repris, les messages en attente partent.' },
  { hours: 2.1, state: 'resolved', message: 'Tous les messages sont partis. Aucun n’a été perdu.' },
]
const MAINTENANCE_UPDATES: UpdateDraft[] = [
  {
    hours: 0,
    state: 'planned',
    message:
      'Mise à jour de PostgreSQL. L’espace connecté sera fermé une heure au plus\u00a0; les relevés seront repris ensuite.',
  },
]

/** Update times are relative to the first publication. */
async function insertIncident(tx: Db, story: IncidentValues, updates: UpdateDraft[]) {
  await tx.insert(incidents).values(story)
  const from = (story.createdAt ?? story.startsAt).getTime()
  await tx
    .insert(incidentUpdates)
    .values(
      updates.map(({ hours, ...one }) => ({ incidentId: story.id, at: new Date(from + hours * HOUR_MS), ...one })),
    )
}

/**
 * Creates a resolved incident and a planned maintenance, as the installation operator would have written them; no mail
 * is sent.
 */
export async function fillIncidents({ db }: Deps, companyId: number): Promise<void> {
  if ((await loadSiteOwnerId(db)) !== companyId) return
  await transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ known: boolean }>(sql`select exists (select from incidents) as known`)
    if (rows[0]?.known) return
    const began = new Date(Date.now() - 12.3 * 24 * HOUR_MS)
    const late = { id: crypto.randomUUID(), kind: 'incident', title: 'E-mails retardés', parts: ['mail'] }
    const over = new Date(began.getTime() + 2.1 * HOUR_MS)
    await insertIncident(
      tx,
      { ...late, severity: 'minor', state: 'resolved', startsAt: began, closedAt: over },
      DELAYED_MAIL_UPDATES,
    )
    const night = Math.ceil(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS + 6 * 24 * HOUR_MS + 2 * HOUR_MS
    const announcedAt = new Date(Date.now() - 50.4 * HOUR_MS)
    const window = { startsAt: new Date(night), endsAt: new Date(night + HOUR_MS) }
    const work = { id: crypto.randomUUID(), kind: 'maintenance', title: 'Mise à jour de la base de données' }
    await insertIncident(
      tx,
      { ...work, parts: ['site', 'database'], state: 'planned', createdAt: announcedAt, ...window },
      MAINTENANCE_UPDATES,
    )
  })
}

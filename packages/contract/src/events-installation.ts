import { z } from 'zod'
import { defineOpenEvent } from './event.ts'
import { IncidentSeverity, IncidentState, StatusPart } from './incidents.ts'
import { Id, Instant } from './primitives.ts'

const RUN = '4d2b6f80-5a1c-4e93-b7d8-0c6e2a9f3b17'
const copy = { runId: Id, copy: z.string() }
const sample = { runId: RUN, copy: 'voisol-2026-05-19-001702' }

/** Public facts, recorded for every company, since all of them may be affected. */
const incident = z.object({
  incidentId: Id,
  updateId: Id,
  kind: z.enum(['incident', 'maintenance']),
  title: z.string(),
  parts: z.array(StatusPart),
  severity: IncidentSeverity.nullable(),
  state: IncidentState,
  message: z.string(),
  startsAt: Instant,
  endsAt: Instant.nullable(),
})
const incidentSample = {
  incidentId: '7c1e9b40-2f6d-4a58-93c7-5b8e0d4f1a26',
  updateId: RUN,
  kind: 'incident' as const,
  title: 'Messages retardés',
  parts: ['mail' as const],
  severity: 'minor' as const,
  state: 'investigating' as const,
  message: 'Les e-mails partent avec une heure de retard. Nous cherchons pourquoi.',
  startsAt: '2026-05-19T06:12:31.000Z',
  endsAt: null,
}

/** Facts about the installation, recorded for the company that operates the site. */
export const installationEvents = {
  'copy.completed': defineOpenEvent({
    label: 'Installation copiée',
    data: z.object({ ...copy, rows: z.int(), bytes: z.int(), seconds: z.int() }),
    sample: { ...sample, rows: 148_213, bytes: 23_411_907, seconds: 11 },
  }),
  'copy.failed': defineOpenEvent({
    label: 'Copie de l’installation échouée',
    data: z.object({ ...copy, kind: z.enum(['copy', 'verify', 'drill']), reason: z.string() }),
    sample: { ...sample, kind: 'copy', reason: 'Le dossier des copies est plein.' },
  }),
  'copy.proved': defineOpenEvent({
    label: 'Restauration d’une copie essayée',
    data: z.object({ ...copy, rows: z.int(), seconds: z.int() }),
    sample: { ...sample, rows: 148_213, seconds: 37 },
  }),
  'incident.opened': defineOpenEvent({
    label: 'Incident ouvert ou maintenance annoncée',
    data: incident,
    sample: incidentSample,
  }),
  'incident.updated': defineOpenEvent({
    label: 'Nouvelle d’un incident ou d’une maintenance',
    data: incident,
    sample: { ...incidentSample, state: 'identified' },
  }),
  'incident.resolved': defineOpenEvent({
    label: 'Incident résolu ou maintenance terminée',
    data: incident,
    sample: { ...incidentSample, state: 'resolved' },
  }),
  'alert.raised': defineOpenEvent({
    label: 'Alerte de santé levée',
    data: z.object({
      alertId: Id,
      metric: z.string(),
      level: z.enum(['warning', 'critical']),
      detail: z.string(),
      advice: z.string(),
    }),
    sample: {
      alertId: RUN,
      metric: 'disk.free',
      level: 'warning',
      detail: 'Il reste 9 % de place sur le disque.',
      advice: 'Libérez de la place, ou agrandissez le disque des données.',
    },
  }),
  'alert.ended': defineOpenEvent({
    label: 'Alerte de santé terminée',
    data: z.object({ alertId: Id, metric: z.string() }),
    sample: { alertId: RUN, metric: 'disk.free' },
  }),
}

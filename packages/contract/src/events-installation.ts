import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { IncidentSeverity, IncidentState, StatusPart } from './incidents.ts'
import { Cents } from './money.ts'
import { AddOnName, PlanChange, PlanName, PlanPeriod } from './plan-schemas.ts'
import { Day, Id, Instant } from './primitives.ts'

const RUN = '4d2b6f80-5a1c-4e93-b7d8-0c6e2a9f3b17'
const copy = { runId: Id, copy: z.string() }
const copyRunSample = { runId: RUN, copy: 'voisol-2026-05-19-001702' }

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
    sample: { ...copyRunSample, rows: 148_213, bytes: 23_411_907, seconds: 11 },
  }),
  'copy.failed': defineOpenEvent({
    label: 'Copie de l’installation échouée',
    data: z.object({ ...copy, kind: z.enum(['copy', 'verify', 'drill']), reason: z.string() }),
    sample: { ...copyRunSample, kind: 'copy', reason: 'Le dossier des copies est plein.' },
  }),
  'copy.proved': defineOpenEvent({
    label: 'Restauration d’une copie essayée',
    data: z.object({ ...copy, rows: z.int(), seconds: z.int() }),
    sample: { ...copyRunSample, rows: 148_213, seconds: 37 },
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

const KEY = 'c3f1a7d9-5e2b-4860-97d4-8b6a0f1e2c35'
const NEXT = '8d5b2e7f-41c6-4a93-b0e8-6f9c3a1d7452'
const WEBHOOK = '2e9c6b14-7f3d-4d85-a1b0-9c8e5f7a6d32'

const key = { keyId: Id, name: z.string(), prefix: z.string() }
const keySample = { keyId: KEY, name: 'Comptabilité', prefix: 'vsl_7_Hq3xW2' }

/** Changes of API keys and webhooks, notified to those who manage access. */
export const keyEvents = {
  'apikey.created': defineOpenEvent({ label: 'Clé d’API créée', data: z.object(key), sample: keySample }),
  'apikey.rotated': defineOpenEvent({
    label: 'Clé d’API renouvelée',
    data: z.object({ ...key, newKeyId: Id, until: z.iso.datetime() }),
    sample: { ...keySample, newKeyId: NEXT, until: '2026-05-20T07:30:00.000Z' },
  }),
  'apikey.revoked': defineOpenEvent({ label: 'Clé d’API révoquée', data: z.object(key), sample: keySample }),
  'apikey.expiry-approached': defineOpenEvent({
    label: 'Fin d’une clé d’API proche',
    /** `warning` is how many days before the end this is recorded. */
    data: z.object({ ...key, on: Day, left: z.int(), warning: z.int() }),
    sample: { ...keySample, on: '2026-05-26', left: 7, warning: 7 },
  }),
  'audit.head-noted': defineOpenEvent({
    label: 'Tête du journal d’audit',
    /** Stored unchanged, it is a file that `voisol audit verify --heads` reads. */
    data: z.object({
      day: Day,
      at: z.iso.datetime(),
      heads: z.array(z.object({ companyId: z.int(), seq: z.int(), hash: z.string() })),
      signature: z.string(),
    }),
    sample: {
      day: '2026-05-19',
      at: '2026-05-19T00:41:03.117Z',
      heads: [{ companyId: 7, seq: 4213, hash: '9b1f0c6e'.repeat(8) }],
      signature: '4e2d7a90'.repeat(8),
    },
  }),
  'webhook.stopped': defineOpenEvent({
    label: 'Webhook arrêté',
    data: z.object({ webhookId: Id, host: z.string(), reason: z.enum(['gone', 'failing']) }),
    sample: { webhookId: WEBHOOK, host: 'exemple.fr', reason: 'failing' },
  }),
  'sso.domain-lapsed': defineOpenEvent({
    label: 'Preuve d’un domaine perdue',
    data: z.object({
      connectionId: Id,
      domain: z.string(),
      /** The domain record was missing for the first time, or the domain is no longer trusted. */
      state: z.enum(['missing', 'refused']),
      believedUntil: Day,
    }),
    sample: { connectionId: WEBHOOK, domain: 'exemple.fr', state: 'missing', believedUntil: '2026-11-24' },
  }),
}

const data = z.object({ connectionId: Id, kind: z.string(), name: z.string(), reason: z.string() })
const connectionRunSample = {
  connectionId: '7c1e4b92-0d5f-4a36-9b8e-2f6d3a5c8e10',
  kind: 'sftp',
  name: 'Dépôt du comptable',
  reason: 'Le serveur n’a pas répondu.',
}

/** Changes of state of the connections to other systems. */
export const connectionEvents = {
  'connection.failed': defineOpenEvent({ label: 'Connexion en échec', data, sample: connectionRunSample }),
  'connection.stopped': defineOpenEvent({ label: 'Connexion arrêtée', data, sample: connectionRunSample }),
}

const exportEnded = z.object({
  exportId: Id,
  userId: Id,
  dataSet: z.string(),
  format: z.string(),
  name: z.string(),
  rows: z.int(),
  bytes: z.int(),
  failure: z.string(),
})
const exportSample = {
  exportId: '2b7e1d60-93a4-4f1c-8d52-6c0e9b3f7a18',
  userId: '5d0c8f3e-17b2-4e69-a4d8-90e2c6b1f735',
  dataSet: 'readings',
  format: 'parquet',
  name: 'readings-2026-01-01-2026-02-01.parquet',
  rows: 142_848,
  bytes: 301_554,
  failure: '',
}
const plannedExport = z.object({ planId: Id, connectionId: Id, dataSet: z.string(), name: z.string() })
const plan = {
  planId: '9f4a2c71-5e08-4b3d-b6a9-1d7f0e82c354',
  connectionId: '7c1e4b92-0d5f-4a36-9b8e-2f6d3a5c8e10',
  dataSet: 'invoices',
  name: 'Factures du mois',
}

/** Data exports. */
export const exportEvents = {
  'export.completed': defineOpenEvent({ label: 'Export prêt', data: exportEnded, sample: exportSample }),
  'export.failed': defineEvent({
    label: 'Export en échec',
    data: exportEnded,
    sample: { ...exportSample, failure: 'Trop de lignes.' },
  }),
  'export.planned': defineEvent({ label: 'Export régulier prévu', data: plannedExport, sample: plan }),
  'export.unplanned': defineEvent({ label: 'Export régulier arrêté', data: plannedExport, sample: plan }),
}

const INVOICE = '6c1f0e7a-9b34-4d58-8e21-7a5d3c9f0b46'

/** Subscription of a company, and amounts requested for it. */
export const subscriptionEvents = {
  'trial.warned': defineEvent({
    label: 'Fin d’essai annoncée',
    data: z.object({ daysLeft: z.int(), lastDay: Day }),
    sample: { daysLeft: 7, lastDay: '2026-06-30' },
  }),
  'subscription.changed': defineEvent({
    label: 'Abonnement modifié',
    data: z.object({ kind: PlanChange.shape.kind, plan: PlanName, period: PlanPeriod, on: Day }),
    sample: { kind: 'chosen' as const, plan: 'professional' as const, period: 'month' as const, on: '2026-06-18' },
  }),
  'subscription.invoiced': defineEvent({
    label: 'Facture d’abonnement émise',
    data: z.object({ invoiceId: Id, number: z.string(), gross: Cents, credit: z.boolean() }),
    sample: { invoiceId: INVOICE, number: 'ABO2026-00007', gross: 17_880, credit: false },
  }),
  'subscription.ordered': defineEvent({
    label: 'Option d’abonnement commandée',
    data: z.object({ addOnId: Id, kind: AddOnName }),
    sample: { addOnId: INVOICE, kind: 'training' as const },
  }),
}

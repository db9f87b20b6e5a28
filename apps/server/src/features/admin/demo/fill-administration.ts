import { PLANS } from '@voisol/contract/plan-prices'
import { addDays } from '@voisol/energy/calendar'
import { addMonthsToDay, getAnchoredPeriod } from '@voisol/money/prorata'
import { and, eq, min, ne, sql } from 'drizzle-orm'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import {
  apiKeys,
  callCounts,
  companies,
  flowRules,
  incidents,
  incidentUpdates,
  participations,
  subscriptionChanges,
  subscriptions,
  webhooks,
} from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { BUCKET_COUNT } from '../../../http/gateway/histogram.ts'
import { getToday } from '../../../today.ts'
import { seedSso } from '../../identity/sso/index.ts'
import { createApiKey } from '../api-keys/index.ts'
import { countConnections, createConnection, seedWeather } from '../connections/index.ts'
import { addFlowRule } from '../event-forwarding/index.ts'
import { createWebhook, setWebhookStatus } from '../webhooks/index.ts'

/** Creates a BI feed that nobody reads yet, and the connection to the weather simulator. */
export async function fillConnections(deps: Deps, actor: Actor): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    if ((await countConnections(tx, companyId)) > 0) return
    const settings = { dataSets: 'operations,energies,invoices' }
    const name = 'Tableau de bord de la mairie'
    await createConnection(tx, deps, actor, {
      kind: 'feed',
      name,
      settings,
      schedule: 'none',
      shipments: [],
      anyway: false,
    })
    await seedWeather(tx, deps.secrets, actor)
  })
}

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

const CALL_DAYS = 30
const CALLED_ROUTES = ['GET /api/acc-operations', 'GET /api/energy/series', 'GET /api/invoices']

/** Distribution of response times over the histogram buckets, out of 46: most calls take a few milliseconds. */
const LATENCY_SHARES = [0, 0, 2, 5, 9, 12, 9, 5, 3, 1]
const toLatencyBuckets = (calls: number) =>
  Array.from({ length: BUCKET_COUNT }, (_, at) => Math.round((calls * (LATENCY_SHARES[at] ?? 0)) / 46))

/**
 * Call counts of a spreadsheet that reads every working hour, more in the morning, and sometimes lacks a permission.
 */
function buildCallCounts(companyId: number, who: string) {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const rows: (typeof callCounts.$inferInsert)[] = []
  for (let ago = 2; ago < CALL_DAYS * 24; ago++) {
    const at = new Date(now - ago * HOUR_MS)
    const hour = at.getUTCHours()
    if (hour < 6 || hour > 17 || at.getUTCDay() % 6 === 0) continue
    for (const [index, route] of CALLED_ROUTES.entries()) {
      const calls = 7 + ((ago * 13 + index * 29) % 23) + (hour < 9 ? 19 : 0)
      const about = { companyId, step: 'hour', at, kind: 'key', who, route }
      rows.push({ ...about, calls, bytesOut: calls * 4137, buckets: toLatencyBuckets(calls) })
      if ((ago + index) % 31 === 0)
        rows.push({ ...about, reason: 'forbidden', calls: 2, errors: 2, bytesOut: 614, buckets: toLatencyBuckets(0) })
    }
  }
  return rows
}

const hasKeys = async (tx: Db, companyId: number) =>
  (await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.companyId, companyId)).limit(1)).length > 0

/** Creates two API keys, one of them about to expire, the calls of the first, and a paused webhook. */
export async function fillKeys(deps: Deps, actor: Actor): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    if (await hasKeys(tx, companyId)) return
    const limits = { allowedNetworks: [], operationIds: null, perSecond: 10, perMonth: 50_000 }
    const rights = ['operations.read', 'energy.read', 'invoices.read'] as const
    const spreadsheetKey = {
      name: 'Tableur de la comptabilité',
      permissions: [...rights],
      expiresOn: addDays(getToday(), 200),
    }
    const { id } = await createApiKey(tx, actor, { ...limits, ...spreadsheetKey })
    const monitoringKey = {
      name: 'Supervision',
      permissions: ['energy.read' as const],
      expiresOn: addDays(getToday(), 12),
    }
    await createApiKey(tx, actor, { ...limits, ...monitoringKey, allowedNetworks: ['203.0.113.0/24'] })
    await tx.insert(callCounts).values(buildCallCounts(companyId, id)).onConflictDoNothing()
    const events = ['month.closed' as const, 'invoice.issued' as const]
    const hook = await createWebhook(tx, deps, actor, { url: 'https://compta.exemple.fr/voisol', events })
    // The webhook is paused, because a demo must not send data to outside servers.
    await setWebhookStatus(tx, actor, hook.id, 'paused')
  })
}

/** Two routing rules: large invoices go to another system, incidents to the administrator. */
export async function fillFlowRules(deps: Deps, actor: Actor): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const [known] = await tx.select().from(flowRules).where(eq(flowRules.companyId, companyId)).limit(1)
    const [hook] = await tx.select().from(webhooks).where(eq(webhooks.companyId, companyId)).limit(1)
    if (known || !hook) return
    await addFlowRule(tx, actor, {
      name: 'Factures de plus de 500 €',
      event: 'invoice.issued',
      conditions: [{ field: 'gross', is: 'greater', values: ['50000'] }],
      fields: [
        { from: 'number', to: 'numero' },
        { from: 'gross', to: 'centimes' },
      ],
      destination: { kind: 'webhook', id: hook.id },
      active: true,
    })
    await addFlowRule(tx, actor, {
      name: 'Prévenir d’un incident',
      event: 'incident.opened',
      conditions: [],
      fields: [],
      destination: { kind: 'notification', id: actor.userId },
      active: true,
    })
  })
}

/** Creates a tested identity provider, with two refused sign-ins in its log. */
export const fillSso = (deps: Deps, { companyId }: Actor): Promise<void> =>
  transaction(scopeToCompany(deps.db, companyId), (tx) => seedSso(tx, deps, companyId))

/**
 * The demo company has had the most popular plan since its first participant joined; as operator of the installation it
 * does not pay itself.
 */
async function fillSiteOwner(tx: Db, companyId: number, today: string) {
  const [first] = await tx
    .select({ on: min(participations.startsOn) })
    .from(participations)
    .where(eq(participations.companyId, companyId))
  const on = first?.on && first.on < today ? first.on : addMonthsToDay(today, -12)
  const paid = getAnchoredPeriod(on, 'month', today)
  const plan = { plan: 'professional', period: 'month' } as const
  const dates = { startedOn: on, anchorOn: on, paidFrom: paid.from, paidTo: paid.to }
  const [row] = await tx
    .insert(subscriptions)
    .values({ companyId, state: 'active', ...plan, price: PLANS.professional.month, ...dates })
    .onConflictDoNothing()
    .returning()
  if (row) await tx.insert(subscriptionChanges).values({ companyId, kind: 'chosen', on, ...plan, by: 'Voisol' })
}

/** The second company is on a trial without an end date. */
export const fillSubscriptions = (db: Db, companyId: number, today: string) =>
  transaction(db, async (tx) => {
    await fillSiteOwner(tx, companyId, today)
    const others = await tx
      .select({ id: companies.id })
      .from(companies)
      .where(and(eq(companies.isDemo, true), ne(companies.id, companyId)))
    for (const { id } of others) await tx.insert(subscriptions).values({ companyId: id }).onConflictDoNothing()
  })

import { EVENTS, isEventName } from '@voisol/contract/events'
import type { FlowLink, FlowOverview, FlowPeriod, FlowSubscriber, SubscriberKind } from '@voisol/contract/flows'
import { and, count, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { eventCursors, events, flowRules, webhooks } from '../../../db/schema/index.ts'
import { DELAY_UNITS } from '../../../events/deliver-events.ts'
import type { Subscriber } from '../../../events/subscriber.ts'
import type { Actor } from '../../../http/actor.ts'
import { estimateDurationQuantile } from '../../../http/gateway/histogram.ts'

const SPAN_HOURS: Record<FlowPeriod, number> = { hour: 1, day: 24, month: 720 }
const P95 = 0.95

/** Whole hours, since deliveries are counted per hour: all figures of a response begin at the same moment. */
async function loadSpanStart(db: Db, span: FlowPeriod): Promise<Date> {
  const { rows } = await db.execute<{ since: string }>(
    sql`select (extract(epoch from date_trunc('hour', now() - make_interval(hours => ${SPAN_HOURS[span]}))) * 1000)::text as since`,
  )
  return new Date(Number(rows[0]?.since))
}

async function countEmittedSince(db: Db, companyId: number, since: Date) {
  const { rows } = await db.execute<{ name: string; emitted: number; lastAt: string }>(sql`
    select name, count(*)::int as emitted, to_char(max(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastAt"
      from events where company_id = ${companyId} and at >= ${since.toISOString()} group by name`)
  return new Map(rows.map((row) => [row.name, row]))
}

type SubscriberSum = { subscriber: string; event: string; taken: number; delays: string[] }
type OwnFlows = { subscribers: FlowSubscriber[]; links: FlowLink[]; heard: FlowOverview['heard'] }

/** Deliveries to the subscribers of the product itself, counted hour by hour as they happened. */
async function loadOwnFlows(
  db: Db,
  companyId: number,
  since: Date,
  positions: SubscriberPosition[],
): Promise<OwnFlows> {
  const { rows } = await db.execute<SubscriberSum>(sql`
    select subscriber, event, sum(taken)::int as taken, sum_buckets(delays) as delays from event_sums
     where company_id = ${companyId} and hour >= ${since.toISOString()} group by 1, 2 order by 1, 2`)
  const subscribers: FlowSubscriber[] = []
  for (const position of positions) {
    const subscriberLabel = SUBSCRIBER_LABELS[position.name]
    if (!subscriberLabel) continue
    const own = rows.filter(({ subscriber }) => subscriber === position.name)
    const steps = own.reduce<number[]>((all, { delays }) => delays.map((n, at) => Number(n) + (all[at] ?? 0)), [])
    const p95 = estimateDurationQuantile(steps, P95)
    subscribers.push({
      id: position.name,
      ...subscriberLabel,
      delivered: own.reduce((sum, { taken }) => sum + taken, 0),
      waiting: await countWaitingEvents(db, companyId, position),
      failed: position.failingSince ? 1 : 0,
      p95Ms: p95 === null ? null : Math.round(p95 / DELAY_UNITS),
      failingSince: position.failingSince?.toISOString() ?? null,
    })
  }
  const shown = rows.filter(({ subscriber }) => subscriber in SUBSCRIBER_LABELS)
  return {
    subscribers,
    links: shown.map(({ subscriber, event, taken }) => ({ event, subscriber, delivered: taken })),
    heard: subscribers.flatMap(({ id }) => {
      const { on = [] } = positions.find(({ name }) => name === id) ?? {}
      return on.map((event) => ({ event, subscriber: id }))
    }),
  }
}

/** Every event type with its subscribers and their figures, counted from stored rows. */
export async function loadFlowOverview(
  db: Db,
  { companyId }: Actor,
  span: FlowPeriod,
  all: readonly Subscriber[],
): Promise<FlowOverview> {
  const since = await loadSpanStart(db, span)
  const positions = await loadSubscriberPositions(db, companyId, all)
  const emitted = await countEmittedSince(db, companyId, since)
  const parts = [
    await loadOwnFlows(db, companyId, since, positions),
    await loadWebhookFlows(db, companyId, since, positions),
    await loadRuleFlows(db, companyId, since, positions),
  ]
  const names = [...Object.keys(EVENTS), ...emitted.keys()].filter((name, at, list) => list.indexOf(name) === at)
  const events = names.flatMap((name) => {
    const emission = emitted.get(name)
    if (!isEventName(name) || (EVENTS[name].retired && !emission)) return []
    return [{ name, label: EVENTS[name].label, emitted: emission?.emitted ?? 0, lastAt: emission?.lastAt ?? null }]
  })
  return {
    span,
    since: since.toISOString(),
    events,
    subscribers: parts.flatMap(({ subscribers }) => subscribers),
    links: parts.flatMap(({ links }) => links),
    heard: parts.flatMap(({ heard }) => heard),
  }
}

type FlowSubscription = { event: string; subscriber: string }
type FlowPart = { subscribers: FlowSubscriber[]; links: FlowLink[]; heard: FlowSubscription[] }
type DeliverySums = {
  id: string
  event: string
  delivered: number
  failed: number
  waiting: number
  p95: number | null
}
type FlowTarget = { id: string; label: string; events: string[] }

async function buildFlowPart(
  db: Db,
  companyId: number,
  kind: keyof typeof CARRIER_SUBSCRIBERS,
  targets: FlowTarget[],
  sums: DeliverySums[],
  places: SubscriberPosition[],
): Promise<FlowPart> {
  const place = places.find(({ name }) => name === CARRIER_SUBSCRIBERS[kind])
  const subscribers: FlowSubscriber[] = []
  for (const { id, label, events } of targets) {
    const whole = sums.find((one) => one.id === id && one.event === '')
    subscribers.push({
      id,
      kind,
      label,
      delivered: whole?.delivered ?? 0,
      waiting: (whole?.waiting ?? 0) + (await countWaitingEvents(db, companyId, place, events)),
      failed: whole?.failed ?? 0,
      p95Ms: whole?.p95 == null ? null : Math.round(whole.p95),
      failingSince: place?.failingSince?.toISOString() ?? null,
    })
  }
  const links = sums
    .filter(({ event, delivered }) => event !== '' && delivered > 0)
    .map(({ id, event, delivered }) => ({ event, subscriber: id, delivered }))
  const heard = targets.flatMap(({ id, events }) => events.map((event) => ({ event, subscriber: id })))
  return { subscribers, links, heard }
}

/** Figures of webhooks, computed from the deliveries, which hold the times of the event and of its reception. */
async function loadWebhookFlows(
  db: Db,
  companyId: number,
  since: Date,
  places: SubscriberPosition[],
): Promise<FlowPart> {
  const rows = await db
    .select({ id: webhooks.id, label: webhooks.url, events: webhooks.events })
    .from(webhooks)
    .where(eq(webhooks.companyId, companyId))
    .orderBy(webhooks.url, webhooks.id)
  const from = since.toISOString()
  const { rows: sums } = await db.execute<DeliverySums>(sql`
    select webhook_id as id, coalesce(event, '') as event,
           count(*) filter (where delivered_at >= ${from})::int as delivered,
           count(*) filter (where status = 'failed' and created_at >= ${from})::int as failed,
           count(*) filter (where status = 'waiting')::int as waiting,
           percentile_cont(0.95) within group (
             order by greatest(0, extract(epoch from delivered_at - (payload ->> 'occurredAt')::timestamptz) * 1000))
             filter (where delivered_at >= ${from})::float8 as p95
      from webhook_deliveries
     where company_id = ${companyId} and (created_at >= ${from} or delivered_at >= ${from} or status = 'waiting')
     group by grouping sets ((webhook_id), (webhook_id, event)) order by 1, 2`)
  return buildFlowPart(db, companyId, 'webhook', rows, sums, places)
}

async function loadRuleFlows(db: Db, companyId: number, since: Date, places: SubscriberPosition[]): Promise<FlowPart> {
  const rules = await db
    .select()
    .from(flowRules)
    .where(eq(flowRules.companyId, companyId))
    .orderBy(flowRules.name, flowRules.id)
  const named = rules.map(({ id, name, event, active }) => ({ id, label: name, events: active ? [event] : [] }))
  const from = since.toISOString()
  const { rows: sums } = await db.execute<DeliverySums>(sql`
    select rule_id as id, coalesce(event, '') as event,
           count(*) filter (where sent_at >= ${from})::int as delivered,
           count(*) filter (where status = 'failed' and created_at >= ${from})::int as failed,
           0 as waiting,
           percentile_cont(0.95) within group (order by greatest(0, extract(epoch from sent_at - occurred_at) * 1000))
             filter (where sent_at >= ${from})::float8 as p95
      from flow_deliveries where company_id = ${companyId} and (created_at >= ${from} or sent_at >= ${from})
     group by grouping sets ((rule_id), (rule_id, event)) order by 1, 2`)
  return buildFlowPart(db, companyId, 'rule', named, sums, places)
}

/** The position of a subscriber in the event log of a company. */
type SubscriberPosition = {
  name: string
  on: readonly string[]
  seq: number
  behind: boolean
  failingSince: Date | null
}

async function loadSubscriberPositions(
  db: Db,
  companyId: number,
  all: readonly Subscriber[],
): Promise<SubscriberPosition[]> {
  const { rows } = await db.execute<{ seq: string }>(sql`select seq from event_heads where company_id = ${companyId}`)
  const head = Number(rows[0]?.seq ?? 0)
  const cursors = await db.select().from(eventCursors).where(eq(eventCursors.companyId, companyId))
  return all.map(({ name, on }) => {
    const own = cursors.find(({ subscriber }) => subscriber === name)
    const seq = own?.seq ?? 0
    return { name, on, seq, behind: seq < head, failingSince: own?.failingSince ?? null }
  })
}

/** Number of events that a subscriber has not handled yet; `names` limits the count to some event types. */
async function countWaitingEvents(
  db: Db,
  companyId: number,
  place: SubscriberPosition | undefined,
  names = place?.on ?? [],
) {
  if (!place?.behind || names.length === 0) return 0
  const where = and(eq(events.companyId, companyId), gt(events.seq, place.seq), inArray(events.name, [...names]))
  const [sum] = await db.select({ total: count() }).from(events).where(where)
  return sum?.total ?? 0
}

/** Labels of the product's own subscribers; webhooks and rules have their own names. */
export const SUBSCRIBER_LABELS: Record<string, { kind: SubscriberKind; label: string }> = {
  allocations: { kind: 'notification', label: 'Répartitions à refaire' },
  'api-keys': { kind: 'notification', label: 'Fin des clés d’API' },
  auth: { kind: 'notification', label: 'Nouveaux arrivants' },
  backups: { kind: 'notification', label: 'Copies échouées' },
  bookings: { kind: 'mail', label: 'Confirmations de démonstration' },
  connections: { kind: 'notification', label: 'Connexions arrêtées' },
  corrections: { kind: 'job', label: 'Recherche de régularisations' },
  curves: { kind: 'notification', label: 'Courbes à vérifier' },
  'distributor-files': { kind: 'notification', label: 'Départs annoncés' },
  exports: { kind: 'notification', label: 'Exports prêts' },
  forecasts: { kind: 'job', label: 'Mesure des prévisions' },
  health: { kind: 'notification', label: 'Alertes de santé' },
  incidents: { kind: 'mail', label: 'Incidents du service' },
  invoices: { kind: 'job', label: 'Fichiers des factures' },
  online: { kind: 'job', label: 'Paiements en ligne' },
  'participant-mails': { kind: 'mail', label: 'Messages aux participants' },
  payments: { kind: 'notification', label: 'Paiements des clients' },
  requests: { kind: 'mail', label: 'Messages du site' },
  joining: { kind: 'notification', label: 'Demandes d’entrée et de départ' },
  subscription: { kind: 'notification', label: 'Abonnement' },
  support: { kind: 'notification', label: 'Demandes de support' },
  sync: { kind: 'notification', label: 'Alertes du distributeur' },
  'webhook-stops': { kind: 'notification', label: 'Webhooks arrêtés' },
}

/** Subscribers that stand for many webhooks or rules, each of which is counted separately. */
export const CARRIER_SUBSCRIBERS = { webhook: 'webhooks', rule: 'flows' } as const

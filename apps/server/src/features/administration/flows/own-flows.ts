import type { FlowLink, FlowSubscriber } from '@voisol/contract/flows'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { flowRules, webhooks } from '../../../db/schema/index.ts'
import { countWaitingEvents, type SubscriberPosition } from './places.ts'
import { CARRIER_SUBSCRIBERS } from './words.ts'

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
export async function loadWebhookFlows(
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

export async function loadRuleFlows(
  db: Db,
  companyId: number,
  since: Date,
  places: SubscriberPosition[],
): Promise<FlowPart> {
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

import { EVENTS, isEventName } from '@voisol/contract/events'
import type { FlowLink, FlowOverview, FlowPeriod, FlowSubscriber } from '@voisol/contract/flows'
import { sql } from 'drizzle-orm'
import { DELAY_UNITS } from '../../../core/event-sums.ts'
import type { Subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { estimateDurationQuantile } from '../../../http/gateway/histogram.ts'
import { loadRuleFlows, loadWebhookFlows } from './own-flows.ts'
import { countWaitingEvents, loadSubscriberPositions, type SubscriberPosition } from './places.ts'
import { SUBSCRIBER_LABELS } from './words.ts'

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

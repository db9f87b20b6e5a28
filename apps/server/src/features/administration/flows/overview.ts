import { EVENTS, isEventName } from '@voisol/contract/events'
import type { FlowLink, FlowOverview, FlowSpan, FlowSubscriber } from '@voisol/contract/flows'
import { sql } from 'drizzle-orm'
import { DELAY_UNITS } from '../../../core/event-sums.ts'
import type { Subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { quantile } from '../../../http/gateway/histogram.ts'
import { ruleFlows, webhookFlows } from './own-flows.ts'
import { type Place, placesOf, waitingFor } from './places.ts'
import { SUBSCRIBERS } from './words.ts'

const HOURS: Record<FlowSpan, number> = { hour: 1, day: 24, month: 720 }
const P95 = 0.95

/** Whole hours, as what subscribers took is kept: all figures of an answer begin at the same moment. */
async function sinceOf(db: Db, span: FlowSpan): Promise<Date> {
  const { rows } = await db.execute<{ since: string }>(
    sql`select (extract(epoch from date_trunc('hour', now() - make_interval(hours => ${HOURS[span]}))) * 1000)::text as since`,
  )
  return new Date(Number(rows[0]?.since))
}

async function emittedSince(db: Db, companyId: number, since: Date) {
  const { rows } = await db.execute<{ name: string; emitted: number; lastAt: string }>(sql`
    select name, count(*)::int as emitted, to_char(max(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastAt"
      from events where company_id = ${companyId} and at >= ${since.toISOString()} group by name`)
  return new Map(rows.map((row) => [row.name, row]))
}

type Sum = { subscriber: string; event: string; taken: number; delays: string[] }
type Own = { subscribers: FlowSubscriber[]; links: FlowLink[]; heard: FlowOverview['heard'] }

/** What the product itself does with events: counted hour by hour as it was taken. */
async function ownFlows(db: Db, companyId: number, since: Date, places: Place[]): Promise<Own> {
  const { rows } = await db.execute<Sum>(sql`
    select subscriber, event, sum(taken)::int as taken, sum_buckets(delays) as delays from event_sums
     where company_id = ${companyId} and hour >= ${since.toISOString()} group by 1, 2 order by 1, 2`)
  const subscribers: FlowSubscriber[] = []
  for (const place of places) {
    const words = SUBSCRIBERS[place.name]
    if (!words) continue
    const own = rows.filter(({ subscriber }) => subscriber === place.name)
    const steps = own.reduce<number[]>((all, { delays }) => delays.map((n, at) => Number(n) + (all[at] ?? 0)), [])
    const p95 = quantile(steps, P95)
    subscribers.push({
      id: place.name,
      ...words,
      delivered: own.reduce((sum, { taken }) => sum + taken, 0),
      waiting: await waitingFor(db, companyId, place),
      failed: place.failingSince ? 1 : 0,
      p95Ms: p95 === null ? null : Math.round(p95 / DELAY_UNITS),
      failingSince: place.failingSince?.toISOString() ?? null,
    })
  }
  const shown = rows.filter(({ subscriber }) => subscriber in SUBSCRIBERS)
  return {
    subscribers,
    links: shown.map(({ subscriber, event, taken }) => ({ event, subscriber, delivered: taken })),
    heard: subscribers.flatMap(({ id }) => {
      const { on = [] } = places.find(({ name }) => name === id) ?? {}
      return on.map((event) => ({ event, subscriber: id }))
    }),
  }
}

/** Every event of the table with those who hear of it, counted from what is stored. */
export async function readFlows(
  db: Db,
  { companyId }: Actor,
  span: FlowSpan,
  all: readonly Subscriber[],
): Promise<FlowOverview> {
  const since = await sinceOf(db, span)
  const places = await placesOf(db, companyId, all)
  const emitted = await emittedSince(db, companyId, since)
  const parts = [
    await ownFlows(db, companyId, since, places),
    await webhookFlows(db, companyId, since, places),
    await ruleFlows(db, companyId, since, places),
  ]
  const names = [...Object.keys(EVENTS), ...emitted.keys()].filter((name, at, list) => list.indexOf(name) === at)
  const events = names.flatMap((name) => {
    const told = emitted.get(name)
    if (!isEventName(name) || (EVENTS[name].retired && !told)) return []
    return [{ name, label: EVENTS[name].label, emitted: told?.emitted ?? 0, lastAt: told?.lastAt ?? null }]
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

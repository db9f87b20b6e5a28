import { and, asc, eq, gt, inArray, isNull, lte, max, sql } from 'drizzle-orm'
import { type Db, transaction } from '../db/client.ts'
import { eventCursors, events } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import { BUCKET_COUNT, getDurationBucket } from '../http/gateway/histogram.ts'
import type { SubscribedEvent, Subscriber } from './subscriber.ts'

const cursorCondition = (companyId: number, { name }: Subscriber) =>
  and(eq(eventCursors.companyId, companyId), eq(eventCursors.subscriber, name))

/** Locked until the transaction ends: of two deliveries at once, the second continues after the first. */
async function lockCursor(tx: Db, companyId: number, subscriber: Subscriber): Promise<number> {
  const lock = () => tx.select().from(eventCursors).where(cursorCondition(companyId, subscriber)).for('update')
  // Nearly always it exists: it is created at the first event only.
  const [known] = await lock()
  if (known) return known.seq
  await tx.insert(eventCursors).values({ companyId, subscriber: subscriber.name, seq: 0 }).onConflictDoNothing()
  const [made] = await lock()
  return made?.seq ?? 0
}

/** Events delivered in one transaction: one transaction each would cost ten times as much for many events. */
const EVENTS_PER_TRANSACTION = 20

type DeliveryBatch = { companyId: number; subscriber: Subscriber; most: number; signal?: AbortSignal | undefined }
/** `held`: number of events in the current batch, in case it fails. */
type Progress = { held: number }

/** Delivers the next events for the subscriber, and moves its cursor past them. False when none is left. */
const deliverNextEvents = (
  deps: Deps,
  { companyId, subscriber, most, signal }: DeliveryBatch,
  progress: Progress,
): Promise<boolean> =>
  transaction(deps.db, async (tx) => {
    const place = await lockCursor(tx, companyId, subscriber)
    const head = await loadEventHead(tx, companyId)
    const pendingEvents = and(
      eq(events.companyId, companyId),
      gt(events.seq, place),
      inArray(events.name, [...subscriber.on]),
    )
    const found = await tx.select().from(events).where(pendingEvents).orderBy(asc(events.seq)).limit(most)
    progress.held = found.length
    const prepared = found.length ? await subscriber.prepare?.(tx, companyId) : undefined
    for (const event of found) {
      await subscriber.handle(tx, deps, event as SubscribedEvent, prepared) // written by recordEvent()
      signal?.throwIfAborted()
    }
    const isFull = found.length === most
    const last = found.at(-1)?.seq ?? place
    const seq = isFull ? last : Math.max(last, head)
    const well = { seq, failingSince: null, error: '' }
    if (seq > place) await tx.update(eventCursors).set(well).where(cursorCondition(companyId, subscriber))
    await countDeliveredEvents(tx, subscriber.name, found)
    return isFull
  })

/** In batches; where one fails, one at a time, so that those before it are kept. */
async function deliverAllEvents(
  deps: Deps,
  companyId: number,
  subscriber: Subscriber,
  signal?: AbortSignal,
): Promise<void> {
  const progress = { held: 0 }
  const take = async (most: number) => {
    while (await deliverNextEvents(deps, { companyId, subscriber, most, signal }, progress));
  }
  await take(EVENTS_PER_TRANSACTION).catch((err: unknown) => {
    if (signal?.aborted || progress.held < 2) throw err
    return take(1)
  })
}

async function catchUpSubscriber(
  deps: Deps,
  companyId: number,
  subscriber: Subscriber,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    await deliverAllEvents(deps, companyId, subscriber, signal)
    return true
  } catch (err) {
    // A process that is shutting down delivers nothing more: the next one continues.
    if (signal?.aborted || !deps.db.$jobs.queue) throw err
    deps.log.error({ err, companyId, subscriber: subscriber.name }, 'a subscriber could not take an event')
    await recordSubscriberFailure(deps.db, companyId, subscriber.name, err)
    return false
  }
}

/**
 * Brings every subscriber up to the last event of the company, in order. A failing one keeps its cursor and delays no
 * other; the job then fails too, so that it is retried with growing delays.
 */
export async function deliverEvents(
  deps: Deps,
  companyId: number,
  subscribers: readonly Subscriber[],
  signal?: AbortSignal,
): Promise<void> {
  const failed: string[] = []
  for (const one of await advanceSubscribers(deps.db, companyId, subscribers))
    if (!(await catchUpSubscriber(deps, companyId, one, signal))) failed.push(one.name)
  if (failed.length) throw new Error(`events wait for ${failed.join(', ')}`)
}

/** The companies with a subscriber that is behind the last event. */
export async function listCompaniesWithPendingEvents(db: Db, subscribers: readonly Subscriber[]): Promise<number[]> {
  const names = subscribers.map(({ name }) => name)
  const { rows } = await db.execute<{ companyId: number }>(sql`
    select h.company_id as "companyId" from event_heads h
     where exists (select 1 from unnest(${sql.param(names)}::text[]) s(name)
       left join event_cursors c on c.company_id = h.company_id and c.subscriber = s.name
      where coalesce(c.seq, 0) < h.seq) order by 1`)
  return rows.map(({ companyId }) => companyId)
}

/** A row with this company marks a subscriber as known. */
const NO_COMPANY = 0

/**
 * A new subscriber gets events from now on. A known one gets those of a new company from the first, even if a crash
 * came before any delivery.
 */
export const registerSubscribers = (db: Db, subscribers: readonly Subscriber[]): Promise<void> =>
  transaction(db, async (tx) => {
    const rows = subscribers.map(({ name }) => ({ companyId: NO_COMPANY, subscriber: name, seq: 0 }))
    const added = await tx.insert(eventCursors).values(rows).onConflictDoNothing().returning()
    const names = added.map(({ subscriber }) => subscriber)
    await tx.execute(sql`
      insert into event_cursors (company_id, subscriber, seq)
      select h.company_id, s.name, h.seq from event_heads h cross join unnest(${sql.param(names)}::text[]) s(name)
      on conflict do nothing`)
  })

type SubscriberCursor = { one: Subscriber; seq: number; isFailing: boolean }

async function loadSubscriberCursors(
  db: Db,
  companyId: number,
  subscribers: readonly Subscriber[],
): Promise<SubscriberCursor[]> {
  const rows = await db.select().from(eventCursors).where(eq(eventCursors.companyId, companyId))
  const known = new Map(rows.map((row) => [row.subscriber, row]))
  return subscribers.map((one) => {
    const row = known.get(one.name)
    return { one, seq: row?.seq ?? 0, isFailing: (row?.failingSince ?? null) !== null }
  })
}

/** Read after the cursors and before the events, so that every event up to it is visible. */
async function loadEventHead(db: Db, companyId: number): Promise<number> {
  const { rows } = await db.execute<{ seq: string }>(sql`select seq from event_heads where company_id = ${companyId}`)
  return Number(rows[0]?.seq ?? 0)
}

/** The last event of each name between two positions. */
async function loadLastSeqByName(db: Db, companyId: number, from: number, to: number): Promise<Map<string, number>> {
  const rows = await db
    .select({ name: events.name, seq: max(events.seq) })
    .from(events)
    .where(and(eq(events.companyId, companyId), gt(events.seq, from), lte(events.seq, to)))
    .groupBy(events.name)
  return new Map(rows.map(({ name, seq }) => [name, seq ?? 0]))
}

/** Advances the subscribers still at the position read: no event up to the head is for them. */
const moveCursors = (db: Db, companyId: number, places: readonly SubscriberCursor[], head: number) =>
  db
    .insert(eventCursors)
    .values(places.map(({ one }) => ({ companyId, subscriber: one.name, seq: head })))
    .onConflictDoUpdate({
      target: [eventCursors.companyId, eventCursors.subscriber],
      set: { seq: head },
      setWhere: and(
        isNull(eventCursors.failingSince),
        sql`${eventCursors.seq} = (${sql.param(Object.fromEntries(places.map(({ one, seq }) => [one.name, seq])))}::jsonb ->> ${eventCursors.subscriber})::bigint`,
      ),
    })

/** Returns the subscribers with new events; the others are advanced to the last event in a single statement. */
export async function advanceSubscribers(
  db: Db,
  companyId: number,
  subscribers: readonly Subscriber[],
): Promise<Subscriber[]> {
  const places = await loadSubscriberCursors(db, companyId, subscribers)
  const head = await loadEventHead(db, companyId)
  const behind = places.filter(({ seq }) => seq < head)
  const well = behind.filter(({ isFailing }) => !isFailing)
  if (!well.length) return behind.map(({ one }) => one)
  const last = await loadLastSeqByName(db, companyId, Math.min(...well.map(({ seq }) => seq)), head)
  const isIdle = ({ one, seq, isFailing }: SubscriberCursor) =>
    !isFailing && !one.on.some((name) => (last.get(name) ?? 0) > seq)
  const idle = behind.filter(isIdle)
  if (idle.length) await moveCursors(db, companyId, idle, head)
  return behind.filter((place) => !isIdle(place)).map(({ one }) => one)
}

/** The histogram of calls starts at half a millisecond, that of event delays at fifty, up to two hours. */
export const DELAY_UNITS = 10

type DeliveredEvent = { companyId: number; name: string; at: Date }

/** Counts the events a subscriber has handled, with their delays: those repeated after a crash count once. */
export async function countDeliveredEvents(
  tx: Db,
  subscriber: string,
  taken: readonly DeliveredEvent[],
): Promise<void> {
  for (const [name, those] of Map.groupBy(taken, (one) => one.name)) {
    const delays = new Array<number>(BUCKET_COUNT).fill(0)
    for (const { at } of those) {
      const step = getDurationBucket(Math.max(0, Date.now() - at.getTime()) * DELAY_UNITS)
      delays[step] = (delays[step] ?? 0) + 1
    }
    await tx.execute(sql`
      insert into event_sums as s (company_id, subscriber, event, hour, taken, delays)
      values (${those[0]?.companyId}, ${subscriber}, ${name}, date_trunc('hour', now()), ${those.length},
        ${sql.param(delays)}::bigint[])
      on conflict (company_id, subscriber, event, hour) do update
        set taken = s.taken + excluded.taken,
            delays = add_buckets(s.delays, excluded.delays)`)
  }
}

/** Records since when a subscriber has been failing, and its error. */
async function recordSubscriberFailure(db: Db, companyId: number, subscriber: string, err: unknown): Promise<void> {
  const words = (err instanceof Error ? err.message : String(err)).slice(0, 500)
  await db.execute(sql`
    insert into event_cursors as c (company_id, subscriber, seq, error, failing_since)
    values (${companyId}, ${subscriber}, 0, ${words}, now())
    on conflict (company_id, subscriber) do update
      set error = excluded.error, failing_since = coalesce(c.failing_since, excluded.failing_since)`)
}

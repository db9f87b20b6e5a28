import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { type Db, transaction } from '../db/client.ts'
import { eventCursors, events } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import { countDeliveredEvents, recordSubscriberFailure } from './event-sums.ts'
import { advanceSubscribers, loadEventHead } from './pass-over.ts'
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

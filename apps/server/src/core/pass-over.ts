import { and, eq, gt, isNull, lte, max, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { eventCursors, events } from '../db/schema/index.ts'
import type { Subscriber } from './subscriber.ts'

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
export async function loadEventHead(db: Db, companyId: number): Promise<number> {
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

import { and, count, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import { eventCursors, events } from '../../../db/schema/index.ts'

/** The position of a subscriber in the event log of a company. */
export type SubscriberPosition = {
  name: string
  on: readonly string[]
  seq: number
  behind: boolean
  failingSince: Date | null
}

export async function loadSubscriberPositions(
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
export async function countWaitingEvents(
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

import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { BUCKET_COUNT, getDurationBucket } from '../http/gateway/histogram.ts'

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
export async function recordSubscriberFailure(
  db: Db,
  companyId: number,
  subscriber: string,
  err: unknown,
): Promise<void> {
  const words = (err instanceof Error ? err.message : String(err)).slice(0, 500)
  await db.execute(sql`
    insert into event_cursors as c (company_id, subscriber, seq, error, failing_since)
    values (${companyId}, ${subscriber}, 0, ${words}, now())
    on conflict (company_id, subscriber) do update
      set error = excluded.error, failing_since = coalesce(c.failing_since, excluded.failing_since)`)
}

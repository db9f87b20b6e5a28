import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { BUCKETS, bucketOf } from '../http/gateway/histogram.ts'

/** The histogram of calls begins at half a millisecond; that of events at fifty, and ends beyond two hours. */
export const DELAY_UNITS = 10

type Taken = { companyId: number; name: string; at: Date }

/** Counts an event that a subscriber has taken, with what it took: one that is taken twice in a crash counts once. */
export async function countTaken(tx: Db, subscriber: string, { companyId, name, at }: Taken): Promise<void> {
  const step = bucketOf(Math.max(0, Date.now() - at.getTime()) * DELAY_UNITS)
  const delays = new Array<number>(BUCKETS).fill(0).with(step, 1)
  await tx.execute(sql`
    insert into event_sums as s (company_id, subscriber, event, hour, taken, delays)
    values (${companyId}, ${subscriber}, ${name}, date_trunc('hour', now()), 1, ${sql.param(delays)}::bigint[])
    on conflict (company_id, subscriber, event, hour) do update
      set taken = s.taken + 1, delays[${step + 1}] = s.delays[${step + 1}] + 1`)
}

/** Of a subscriber that cannot go on: since when, and the words of its error. */
export async function noteFailure(db: Db, companyId: number, subscriber: string, err: unknown): Promise<void> {
  const words = (err instanceof Error ? err.message : String(err)).slice(0, 500)
  await db.execute(sql`
    insert into event_cursors as c (company_id, subscriber, seq, error, failing_since)
    values (${companyId}, ${subscriber}, 0, ${words}, now())
    on conflict (company_id, subscriber) do update
      set error = excluded.error, failing_since = coalesce(c.failing_since, now())`)
}

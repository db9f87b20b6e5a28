import { sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'

/** How late a process that was cut off may still bring what it counted. */
const LATE_INTERVALS = { hour: `interval '6 hours'`, day: `interval '2 days'` }

/** From finer sums to coarser ones, from the last that may not have been whole; made again they are the same. */
const rollUpStep = (tx: Db, from: 'minute' | 'hour', to: 'hour' | 'day') =>
  tx.execute(sql`
    with since as (
      select least(coalesce((select max(at) from call_counts where step = ${to}), '-infinity'),
        date_trunc(${to}, now() - ${sql.raw(LATE_INTERVALS[to])}, 'Europe/Paris')) as at)
    insert into call_counts as t (company_id, step, at, kind, who, route, reason, calls, errors, failures, bytes_in, bytes_out, buckets)
    select company_id, ${to}, date_trunc(${to}, c.at, 'Europe/Paris'), kind, who, route, reason, sum(calls), sum(errors),
           sum(failures), sum(bytes_in), sum(bytes_out), sum_buckets(buckets)
      from call_counts c, since where step = ${from} and c.at >= since.at
     group by 1, 3, 4, 5, 6, 7
     order by 1, 3, 4, 5, 6, 7
    on conflict (company_id, step, at, kind, who, route, reason) do update set
      calls = excluded.calls, errors = excluded.errors, failures = excluded.failures,
      bytes_in = excluded.bytes_in, bytes_out = excluded.bytes_out, buckets = excluded.buckets`)

/** Minutes are kept two days, hours sixty, days two years; the calls of keys one by one thirty days. */
export async function rollUpCalls(db: Db): Promise<void> {
  await transaction(db, async (tx) => {
    await rollUpStep(tx, 'minute', 'hour')
    await rollUpStep(tx, 'hour', 'day')
    await tx.execute(sql`delete from call_counts where step = 'minute' and at < now() - interval '2 days'`)
    await tx.execute(sql`delete from call_counts where step = 'hour' and at < now() - interval '60 days'`)
    await tx.execute(sql`delete from call_counts where step = 'day' and at < now() - interval '2 years'`)
    await tx.execute(sql`delete from key_calls where at < now() - interval '30 days'`)
  })
}

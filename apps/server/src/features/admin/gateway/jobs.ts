import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, transaction } from '../../../db/client.ts'
import { defineJob } from '../../../jobs/job.ts'

export const gatewayJobs = {
  'gateway.roll-up': defineJob({
    input: z.object({}),
    cron: '*/10 * * * *',
    policy: { retryLimit: 1, deleteAfterSeconds: 3600 },
    run: ({ db }) => rollUpCalls(db),
  }),
}

/** How late a process that lost its connection may still report its counts. */
const LATE_INTERVALS = { hour: `interval '6 hours'`, day: `interval '2 days'` }

/** Rolls up from the last period that may have been incomplete; repeating it gives the same totals. */
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

/** Keeps minutes for two days, hours for sixty days, days for two years, and single calls for thirty days. */
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

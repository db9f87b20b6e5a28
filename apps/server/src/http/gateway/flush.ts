import type { Db } from '../../db/client.ts'
import { type Batch, LAST_CALLS } from './meter.ts'

/**
 * Counts, single calls and what is no longer among the last of a key: one statement. Rows come in one order, so that
 * processes that write at once wait for one another and never in a ring. The statement does not see what it adds: of the
 * older calls as many stay as the new ones leave room for.
 */
const WRITE = `
  with counted as (
    insert into call_counts as t (company_id, step, at, kind, who, route, reason, calls, errors, failures, bytes_in, bytes_out, buckets)
    select x."companyId", 'minute', to_timestamp(x.at / 1000.0), x.kind, x.who, x.route, x.reason,
           x.calls, x.errors, x.failures, x."bytesIn", x."bytesOut", x.buckets
      from jsonb_to_recordset($1) as x("companyId" int, at float8, kind text, who uuid, route text, reason text, calls bigint,
           errors bigint, failures bigint, "bytesIn" bigint, "bytesOut" bigint, buckets bigint[])
     order by 1, 3, 5, 6, 7
    on conflict (company_id, step, at, kind, who, route, reason) do update set
      calls = t.calls + excluded.calls, errors = t.errors + excluded.errors, failures = t.failures + excluded.failures,
      bytes_in = t.bytes_in + excluded.bytes_in, bytes_out = t.bytes_out + excluded.bytes_out,
      buckets = add_buckets(t.buckets, excluded.buckets)
  ), called as (
    insert into key_calls (company_id, key_id, at, request_id, route, status, micros, bytes_out, ip, reason)
    select x."companyId", x."keyId", to_timestamp(x.at / 1000.0), x."requestId", x.route, x.status, x.micros,
           x."bytesOut", x.ip, x.reason
      from jsonb_to_recordset($2) as x("companyId" int, "keyId" uuid, at float8, "requestId" text, route text, status int,
           micros int, "bytesOut" bigint, ip text, reason text)
    on conflict do nothing returning company_id, key_id
  ), touched as (select company_id, key_id, count(*)::int as added from called group by 1, 2)
  delete from key_calls k using touched t
   where k.company_id = t.company_id and k.key_id = t.key_id and (t.added >= ${LAST_CALLS} or k.at < (
     select o.at from key_calls o where o.company_id = t.company_id and o.key_id = t.key_id
      order by o.at desc offset greatest(0, ${LAST_CALLS} - t.added - 1) limit 1))`

export async function writeBatch(db: Db, { counts, singles }: Batch): Promise<void> {
  if (counts.length === 0) return
  await db.$client.query({
    name: 'gateway-flush',
    text: WRITE,
    values: [JSON.stringify(counts), JSON.stringify(singles)],
  })
}

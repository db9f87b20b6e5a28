import { type Db, queryPrepared, transaction } from '../../db/client.ts'
import { checkDatabase } from '../checks.ts'
import { type CallBatch, MAX_CALLS_PER_KEY } from './meter.ts'

/** Rows are in one order, so that processes that write at once cannot deadlock. */
const UPSERT_COUNTS = `
  insert into call_counts as t (company_id, step, at, kind, who, route, reason, calls, errors, failures, bytes_in, bytes_out, buckets)
  select x."companyId", 'minute', to_timestamp(x.at / 1000.0), x.kind, x.who, x.route, x.reason,
         x.calls, x.errors, x.failures, x."bytesIn", x."bytesOut", x.buckets
    from jsonb_to_recordset($1) as x("companyId" int, at float8, kind text, who uuid, route text, reason text, calls bigint,
         errors bigint, failures bigint, "bytesIn" bigint, "bytesOut" bigint, buckets bigint[])
   order by 1, 3, 5, 6, 7
  on conflict (company_id, step, at, kind, who, route, reason) do update set
    calls = t.calls + excluded.calls, errors = t.errors + excluded.errors, failures = t.failures + excluded.failures,
    bytes_in = t.bytes_in + excluded.bytes_in, bytes_out = t.bytes_out + excluded.bytes_out,
    buckets = add_buckets(t.buckets, excluded.buckets)`
const INSERT_CALLS = `
  insert into key_calls (company_id, key_id, at, request_id, route, status, micros, bytes_out, ip, reason)
  select x."companyId", x."keyId", to_timestamp(x.at / 1000.0), x."requestId", x.route, x.status, x.micros,
         x."bytesOut", x.ip, x.reason
    from jsonb_to_recordset($1) as x("companyId" int, "keyId" uuid, at float8, "requestId" text, route text, status int,
         micros int, "bytesOut" bigint, ip text, reason text)
  on conflict do nothing`
/** Deletes calls beyond the last ones of a key; company by company, since rows are on different machines. */
const DELETE_OLD_CALLS = `
  delete from key_calls k where k.company_id = $1 and k.key_id = any ($2) and k.at < (
    select o.at from key_calls o where o.company_id = $1 and o.key_id = k.key_id
     order by o.at desc offset ${MAX_CALLS_PER_KEY - 1} limit 1)`

const insertCallBatch = (db: Db, { counts, singles }: CallBatch): Promise<void> =>
  transaction(db, async (tx) => {
    await queryPrepared(tx, 'gateway-count', UPSERT_COUNTS, [JSON.stringify(counts)])
    if (singles.length === 0) return
    await queryPrepared(tx, 'gateway-add', INSERT_CALLS, [JSON.stringify(singles)])
    const companies = Map.groupBy(singles, ({ companyId }) => companyId)
    for (const [companyId, calls] of [...companies].sort(([a], [b]) => a - b)) {
      const keys = [...new Set(calls.map(({ keyId }) => keyId))]
      await queryPrepared(tx, 'gateway-forget', DELETE_OLD_CALLS, [companyId, keys])
    }
  })

/** The part of each company. */
function splitByCompany({ counts, singles }: CallBatch): CallBatch[] {
  const calls = Map.groupBy(singles, ({ companyId }) => companyId)
  return [...Map.groupBy(counts, ({ companyId }) => companyId)].map(([companyId, own]) => ({
    counts: own,
    singles: calls.get(companyId) ?? [],
  }))
}

/**
 * Writes all in one statement; on a cluster with a machine down, each company separately, so that it affects only its
 * own. Returns what could not be written, and why.
 */
export async function writeCallBatch(db: Db, batch: CallBatch): Promise<{ batch: CallBatch; error: unknown }[]> {
  if (batch.counts.length === 0) return []
  try {
    await insertCallBatch(db, batch)
    return []
  } catch (error) {
    // Without the first machine no company can be written.
    if (!db.$jobs.spread || !(await checkDatabase(db))) return [{ batch, error }]
  }
  const left: { batch: CallBatch; error: unknown }[] = []
  for (const own of splitByCompany(batch))
    await insertCallBatch(db, own).catch((error) => left.push({ batch: own, error }))
  return left
}

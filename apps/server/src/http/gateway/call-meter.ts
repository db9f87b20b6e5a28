import { type Db, queryPrepared, transaction } from '../../db/client.ts'
import { checkDatabase } from '../health.ts'
import { BUCKET_COUNT, getDurationBucket } from './histogram.ts'

/** The caller and its company. */
export type Caller = { companyId: number; kind: 'key' | 'person'; who: string }
type MeteredCall = Caller & {
  route: string
  /** Why it was refused; empty if allowed. */
  reason: string
  status: number
  micros: number
  bytesIn: number
  bytesOut: number
  at: number
  ip: string
  requestId: string
}
type CallCount = Caller & {
  at: number
  route: string
  reason: string
  calls: number
  errors: number
  failures: number
  bytesIn: number
  bytesOut: number
  buckets: number[]
}
type LoggedCall = Pick<
  MeteredCall,
  'companyId' | 'route' | 'reason' | 'status' | 'micros' | 'bytesOut' | 'at' | 'ip' | 'requestId'
> & {
  keyId: string
}

const MINUTE_MS = 60_000
/** Per key, as many as are displayed. */
export const MAX_CALLS_PER_KEY = 200
/** While the database is unavailable, calls beyond this are not counted: serving matters more. */
const MAX_COUNTED_ROWS = 20_000

type CallBatch = { counts: CallCount[]; singles: LoggedCall[] }

const createEmptyCounts = (): Omit<CallCount, keyof Caller | 'at' | 'route' | 'reason'> => ({
  calls: 0,
  errors: 0,
  failures: 0,
  bytesIn: 0,
  bytesOut: 0,
  buckets: new Array<number>(BUCKET_COUNT).fill(0),
})

/** Calls since the last write, by minute, caller, route and reason; and the last calls of each key. */
export function createCallMeter() {
  let counts = new Map<string, CallCount>()
  let singles = new Map<string, LoggedCall[]>()

  function addLoggedCall({
    who: keyId,
    companyId,
    route,
    reason,
    status,
    micros,
    bytesOut,
    at,
    ip,
    requestId,
  }: MeteredCall) {
    const single = { companyId, keyId, route, reason, status, micros, bytesOut, at, ip, requestId }
    const known = singles.get(keyId)
    if (!known) singles.set(keyId, [single])
    else {
      known.push(single)
      if (known.length > 2 * MAX_CALLS_PER_KEY) known.splice(0, known.length - MAX_CALLS_PER_KEY)
    }
  }

  function getOrAddRow({
    companyId,
    kind,
    who,
    route,
    reason,
    at,
  }: Caller & { route: string; reason: string; at: number }) {
    const minute = at - (at % MINUTE_MS)
    const name = `${minute} ${who} ${companyId} ${route} ${reason}`
    const known = counts.get(name)
    if (known || counts.size >= MAX_COUNTED_ROWS) return known
    const made: CallCount = { companyId, kind, who, route, reason, at: minute, ...createEmptyCounts() }
    counts.set(name, made)
    return made
  }

  return {
    add(call: MeteredCall): void {
      const row = getOrAddRow(call)
      if (!row) return
      row.calls++
      if (call.status >= 500) row.failures++
      else if (call.status >= 400) row.errors++
      row.bytesIn += call.bytesIn
      row.bytesOut += call.bytesOut
      const bucket = getDurationBucket(call.micros)
      row.buckets[bucket] = (row.buckets[bucket] ?? 0) + 1
      if (call.kind === 'key') addLoggedCall(call)
    },
    /** Returns everything and starts again from zero. */
    take(): CallBatch {
      const batch = {
        counts: [...counts.values()],
        singles: [...singles.values()].flatMap((all) => all.slice(-MAX_CALLS_PER_KEY)),
      }
      counts = new Map()
      singles = new Map()
      return batch
    },
    /** Counts that could not be written are added to the new ones; their individual calls are dropped. */
    giveBack(batch: CallBatch): void {
      for (const count of batch.counts) {
        const row = getOrAddRow(count)
        if (!row) continue
        for (const field of ['calls', 'errors', 'failures', 'bytesIn', 'bytesOut'] as const) row[field] += count[field]
        row.buckets = row.buckets.map((n, at) => n + (count.buckets[at] ?? 0))
      }
    },
  }
}
export type CallMeter = ReturnType<typeof createCallMeter>

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

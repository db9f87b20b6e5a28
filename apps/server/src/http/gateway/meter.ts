import { BUCKET_COUNT, getDurationBucket } from './histogram.ts'

/** The caller and its company. */
export type Caller = { companyId: number; kind: 'key' | 'person'; who: string }
export type MeteredCall = Caller & {
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
export type CallCount = Caller & {
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
export type LoggedCall = Pick<
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

export type CallBatch = { counts: CallCount[]; singles: LoggedCall[] }

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

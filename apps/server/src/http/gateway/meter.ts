import { BUCKETS, bucketOf } from './histogram.ts'

/** Who called, and in which company. */
export type Caller = { companyId: number; kind: 'key' | 'person'; who: string }
export type Call = Caller & {
  route: string
  /** Why it was refused; empty where it was let in. */
  reason: string
  status: number
  micros: number
  bytesIn: number
  bytesOut: number
  at: number
  ip: string
  requestId: string
}
export type Count = Caller & {
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
export type Single = Pick<
  Call,
  'companyId' | 'route' | 'reason' | 'status' | 'micros' | 'bytesOut' | 'at' | 'ip' | 'requestId'
> & {
  keyId: string
}

const MINUTE = 60_000
/** Of each key, as many as are shown. */
export const LAST_CALLS = 200
/** While the database is away, what does not fit is not counted: the process goes before its figures. */
const MOST = 20_000

export type Batch = { counts: Count[]; singles: Single[] }

const nothing = (): Omit<Count, keyof Caller | 'at' | 'route' | 'reason'> => ({
  calls: 0,
  errors: 0,
  failures: 0,
  bytesIn: 0,
  bytesOut: 0,
  buckets: new Array<number>(BUCKETS).fill(0),
})

/** What was called since the last look, by minute, caller, route and reason; and the last calls of each key. */
export function openMeter() {
  let counts = new Map<string, Count>()
  let singles = new Map<string, Single[]>()

  function keepSingle({ who: keyId, companyId, route, reason, status, micros, bytesOut, at, ip, requestId }: Call) {
    const single = { companyId, keyId, route, reason, status, micros, bytesOut, at, ip, requestId }
    const known = singles.get(keyId)
    if (!known) singles.set(keyId, [single])
    else {
      known.push(single)
      if (known.length > 2 * LAST_CALLS) known.splice(0, known.length - LAST_CALLS)
    }
  }

  function rowOf({ companyId, kind, who, route, reason, at }: Caller & { route: string; reason: string; at: number }) {
    const minute = at - (at % MINUTE)
    const name = `${minute} ${who} ${companyId} ${route} ${reason}`
    const known = counts.get(name)
    if (known || counts.size >= MOST) return known
    const made: Count = { companyId, kind, who, route, reason, at: minute, ...nothing() }
    counts.set(name, made)
    return made
  }

  return {
    add(call: Call): void {
      const row = rowOf(call)
      if (!row) return
      row.calls++
      if (call.status >= 500) row.failures++
      else if (call.status >= 400) row.errors++
      row.bytesIn += call.bytesIn
      row.bytesOut += call.bytesOut
      const bucket = bucketOf(call.micros)
      row.buckets[bucket] = (row.buckets[bucket] ?? 0) + 1
      if (call.kind === 'key') keepSingle(call)
    },
    /** All of it; from here on it is the taker's. */
    take(): Batch {
      const batch = {
        counts: [...counts.values()],
        singles: [...singles.values()].flatMap((all) => all.slice(-LAST_CALLS)),
      }
      counts = new Map()
      singles = new Map()
      return batch
    },
    /** What could not be written is counted with what came meanwhile; the single calls of that moment are lost. */
    giveBack(batch: Batch): void {
      for (const count of batch.counts) {
        const row = rowOf(count)
        if (!row) continue
        for (const field of ['calls', 'errors', 'failures', 'bytesIn', 'bytesOut'] as const) row[field] += count[field]
        row.buckets = row.buckets.map((n, at) => n + (count.buckets[at] ?? 0))
      }
    },
  }
}
export type Meter = ReturnType<typeof openMeter>

import type { CallSums } from '@voisol/contract/gateway'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { BUCKET_COUNT, estimateDurationQuantile } from '../../../http/gateway/histogram.ts'

type Row = {
  name: string
  calls: number
  errors: number
  failures: number
  blocked: number
  bytesIn: number
  bytesOut: number
  buckets: string[] | null
}
const NO_BUCKETS = new Array<string>(BUCKET_COUNT).fill('0')

const sumColumn = (column: string) => sql.raw(`coalesce(sum(${column}), 0)::float8`)
const BLOCKED_CALLS = sql`coalesce(sum(calls) filter (where reason <> ''), 0)::float8`

const toMilliseconds = (micros: number | null) => (micros === null ? null : Math.round(micros / 100) / 10)

function toCallSums({ buckets, name: _, ...sums }: Row): CallSums {
  const counts = (buckets ?? NO_BUCKETS).map(Number)
  const getPercentile = (share: number) => toMilliseconds(estimateDurationQuantile(counts, share))
  return { ...sums, p50: getPercentile(0.5), p95: getPercentile(0.95), p99: getPercentile(0.99) }
}

/** Totals grouped by an expression, highest number of calls first. */
export async function sumCallsBy(db: Db, by: SQL, where: SQL, maxRows = 50): Promise<(CallSums & { name: string })[]> {
  const { rows } = await db.execute<Row>(sql`
    select ${by} as name, ${sumColumn('calls')} as calls, ${sumColumn('errors')} as errors, ${sumColumn('failures')} as failures,
           ${BLOCKED_CALLS} as blocked, ${sumColumn('bytes_in')} as "bytesIn", ${sumColumn('bytes_out')} as "bytesOut",
           sum_buckets(buckets) filter (where reason = '') as buckets
      from call_counts where ${where} group by 1 order by 2 desc, 1 limit ${maxRows}`)
  return rows.map((row) => ({ name: row.name, ...toCallSums(row) }))
}

/** The overall totals, zero when there are no calls. */
export async function sumAllCalls(db: Db, where: SQL): Promise<CallSums> {
  const [all] = await sumCallsBy(db, sql`''`, where, 1)
  if (!all)
    return toCallSums({
      name: '',
      calls: 0,
      errors: 0,
      failures: 0,
      blocked: 0,
      bytesIn: 0,
      bytesOut: 0,
      buckets: null,
    })
  const { name: _, ...sums } = all
  return sums
}

type Point = { at: Date; calls: number; errors: number; failures: number; blocked: number }

/** Totals of each unit of the period, including units without calls. */
export async function loadCallSeries(db: Db, where: SQL, { from, unit }: { from: SQL; unit: string }) {
  const step = sql.raw(`interval '1 ${unit}'`)
  // Days are days in Paris time, which have 23 or 25 hours twice a year.
  const local = sql`(${from}) at time zone 'Europe/Paris'`
  const parts = ['minute', 'hour'].includes(unit)
    ? sql`generate_series(${from}, now(), ${step})`
    : sql`(select g at time zone 'Europe/Paris' from generate_series(${local}, now() at time zone 'Europe/Paris', ${step}) g)`
  const { rows } = await db.execute<Point>(sql`
    with parts as (select p as at from ${parts} as g(p)), summed as (
      select date_trunc(${unit}, at, 'Europe/Paris') as at, ${sumColumn('calls')} as calls, ${sumColumn('errors')} as errors,
             ${sumColumn('failures')} as failures, ${BLOCKED_CALLS} as blocked
        from call_counts where ${where} group by 1)
    select p.at, coalesce(s.calls, 0) as calls, coalesce(s.errors, 0) as errors, coalesce(s.failures, 0) as failures,
           coalesce(s.blocked, 0) as blocked
      from parts p left join summed s on s.at = p.at order by p.at`)
  return rows.map(({ at, ...rest }) => ({ at: new Date(at).toISOString(), ...rest }))
}

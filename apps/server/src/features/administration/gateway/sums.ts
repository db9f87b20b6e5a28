import type { CallSums } from '@voisol/contract/gateway'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { BUCKETS, quantile } from '../../../http/gateway/histogram.ts'

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
const NO_BUCKETS = new Array<string>(BUCKETS).fill('0')

const sum = (column: string) => sql.raw(`coalesce(sum(${column}), 0)::float8`)
const BLOCKED = sql`coalesce(sum(calls) filter (where reason <> ''), 0)::float8`

const milliseconds = (micros: number | null) => (micros === null ? null : Math.round(micros / 100) / 10)

function toSums({ buckets, name: _, ...sums }: Row): CallSums {
  const counts = (buckets ?? NO_BUCKETS).map(Number)
  const under = (share: number) => milliseconds(quantile(counts, share))
  return { ...sums, p50: under(0.5), p95: under(0.95), p99: under(0.99) }
}

/** Added up by something, the most called first. */
export async function sumsBy(db: Db, by: SQL, where: SQL, most = 50): Promise<(CallSums & { name: string })[]> {
  const { rows } = await db.execute<Row>(sql`
    select ${by} as name, ${sum('calls')} as calls, ${sum('errors')} as errors, ${sum('failures')} as failures,
           ${BLOCKED} as blocked, ${sum('bytes_in')} as "bytesIn", ${sum('bytes_out')} as "bytesOut",
           sum_buckets(buckets) filter (where reason = '') as buckets
      from call_counts where ${where} group by 1 order by 2 desc, 1 limit ${most}`)
  return rows.map((row) => ({ name: row.name, ...toSums(row) }))
}

/** All of it together, also where there is nothing. */
export async function totalOf(db: Db, where: SQL): Promise<CallSums> {
  const [all] = await sumsBy(db, sql`''`, where, 1)
  if (!all)
    return toSums({ name: '', calls: 0, errors: 0, failures: 0, blocked: 0, bytesIn: 0, bytesOut: 0, buckets: null })
  const { name: _, ...sums } = all
  return sums
}

type Point = { at: Date; calls: number; errors: number; failures: number; blocked: number }

/** Each part of the period, those without a call among them. */
export async function seriesOf(db: Db, where: SQL, { from, unit }: { from: SQL; unit: string }) {
  const step = sql.raw(`interval '1 ${unit}'`)
  // Parts are those of Paris: a day has 23 or 25 hours twice a year.
  const local = sql`(${from}) at time zone 'Europe/Paris'`
  const parts = ['minute', 'hour'].includes(unit)
    ? sql`generate_series(${from}, now(), ${step})`
    : sql`(select g at time zone 'Europe/Paris' from generate_series(${local}, now() at time zone 'Europe/Paris', ${step}) g)`
  const { rows } = await db.execute<Point>(sql`
    with parts as (select p as at from ${parts} as g(p)), summed as (
      select date_trunc(${unit}, at, 'Europe/Paris') as at, ${sum('calls')} as calls, ${sum('errors')} as errors,
             ${sum('failures')} as failures, ${BLOCKED} as blocked
        from call_counts where ${where} group by 1)
    select p.at, coalesce(s.calls, 0) as calls, coalesce(s.errors, 0) as errors, coalesce(s.failures, 0) as failures,
           coalesce(s.blocked, 0) as blocked
      from parts p left join summed s on s.at = p.at order by p.at`)
  return rows.map(({ at, ...rest }) => ({ at: new Date(at).toISOString(), ...rest }))
}

import type {
  BlockedCalls,
  CallSums,
  GatewayOverview,
  GatewayPeriod,
  GatewayQuery,
  NamedSums,
} from '@voisol/contract/gateway'
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { apiKeys, companies, keyCalls, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { MAX_CALLS_PER_KEY } from '../../../http/gateway/call-meter.ts'
import { BUCKET_COUNT, estimateDurationQuantile } from '../../../http/gateway/histogram.ts'
import { loadApiKey } from '../api-keys/index.ts'

type NamedCallSums = CallSums & { name: string }
type Names = Map<string, string>

async function loadKeyNames(db: Db, actor: Actor, ids: string[]): Promise<Names> {
  if (ids.length === 0) return new Map()
  const own = and(eq(apiKeys.companyId, actor.companyId), inArray(apiKeys.id, ids))
  const rows = await db.select().from(apiKeys).where(own)
  return new Map(rows.map(({ id, name, prefix }) => [id, `${name} (${prefix}…)`]))
}

/** Names of the people who called in this company, which may read them. */
async function loadPeopleNames(db: Db, ids: string[]): Promise<Names> {
  if (ids.length === 0) return new Map()
  const rows = await db.select().from(users).where(inArray(users.id, ids))
  return new Map(rows.map(({ id, firstName, lastName, email }) => [id, `${firstName} ${lastName}`.trim() || email]))
}

const addLabels = (rows: NamedCallSums[], names: Names, otherwise: string): NamedSums[] =>
  rows.map(({ name, ...sums }) => ({ ...sums, id: name, label: names.get(name) ?? otherwise }))
const labelByName = (rows: NamedCallSums[]): NamedSums[] =>
  rows.map(({ name, ...sums }) => ({ ...sums, id: name, label: name }))
const getNames = (rows: { name: string }[]) => rows.map(({ name }) => name)

async function loadPeriodBounds(db: Db, period: GatewayPeriod) {
  const { rows } = await db.execute<{ from: Date; to: Date }>(
    sql`select ${getGatewayPeriod(period).from} as "from", now() as "to"`,
  )
  const { from, to } = rows[0] ?? { from: new Date(), to: new Date() }
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

type BlockedCallRow = {
  who: string
  kind: 'key' | 'person'
  reason: BlockedCalls['reason']
  route: string
  calls: number
  last: Date
}

const MAX_BLOCKED_ROWS = 100
const listBlockedCalls = async (db: Db, where: SQL): Promise<BlockedCallRow[]> =>
  (
    await db.execute<BlockedCallRow>(sql`
      select who, kind, reason, route, sum(calls)::float8 as calls, max(at) as last from call_counts
       where ${where} and reason <> '' group by who, kind, reason, route order by max(at) desc, 5 desc limit ${MAX_BLOCKED_ROWS}`)
  ).rows

export async function loadGatewayOverview(
  db: Db,
  actor: Actor,
  query: z.output<typeof GatewayQuery>,
): Promise<GatewayOverview> {
  const { period, keyId, userId, route } = query
  const who = (kind: string, id: string | undefined) => (id ? sql` and kind = ${kind} and who = ${id}` : sql``)
  const only = sql`${who('key', keyId)}${who('person', userId)}${route ? sql` and route = ${route}` : sql``}`
  const where = sql`${callScope(actor)} and ${whereCallsOfPeriod(period)}${only}`
  const of = (kind: string) => sql`${where} and kind = ${kind}`
  const [span, total, series, keys, people, routes, blocked] = await Promise.all([
    loadPeriodBounds(db, period),
    sumAllCalls(db, where),
    loadCallSeries(db, where, getGatewayPeriod(period)),
    sumCallsBy(db, sql`who::text`, of('key')),
    sumCallsBy(db, sql`who::text`, of('person')),
    sumCallsBy(db, sql`route`, where),
    listBlockedCalls(db, where),
  ])
  const whose = (kind: string) => blocked.filter((row) => row.kind === kind).map((row) => row.who)
  const names = new Map([
    ...(await loadKeyNames(db, actor, [...getNames(keys), ...whose('key')])),
    ...(await loadPeopleNames(db, [...getNames(people), ...whose('person')])),
  ])
  return {
    ...span,
    total,
    series,
    keys: addLabels(keys, names, 'Clé supprimée'),
    people: addLabels(people, names, 'Compte supprimé'),
    routes: labelByName(routes),
    blocked: blocked.map(({ last, ...row }) => ({
      ...row,
      id: `${row.who} ${row.reason} ${row.route}`,
      who: names.get(row.who) ?? 'Appelant inconnu',
      last: new Date(last).toISOString(),
    })),
  }
}

/** The single calls of a key, newest first. */
export async function listLastCalls(db: Db, actor: Actor, id: string) {
  const { name } = await loadApiKey(db, actor, id)
  const rows = await db
    .select()
    .from(keyCalls)
    .where(and(eq(keyCalls.companyId, actor.companyId), eq(keyCalls.keyId, id)))
    .orderBy(desc(keyCalls.at))
    .limit(MAX_CALLS_PER_KEY)
  const items = rows.map(({ at, requestId, route, status, micros, bytesOut, ip, reason }) => ({
    id: requestId,
    at: at.toISOString(),
    route,
    status,
    milliseconds: Math.round(micros / 100) / 10,
    bytes: bytesOut,
    ip,
    reason: (reason || null) as BlockedCalls['reason'] | null, // written by the gateway alone
  }))
  return { name, items }
}

/** Totals of all companies for the installation operator: how much each calls, not who calls. */
export async function loadInstallationCalls(db: Db, period: GatewayPeriod) {
  const where = whereCallsOfPeriod(period)
  const [span, total, series, rows, routes] = await Promise.all([
    loadPeriodBounds(db, period),
    sumAllCalls(db, where),
    loadCallSeries(db, where, getGatewayPeriod(period)),
    sumCallsBy(db, sql`company_id::text`, where, 200),
    sumCallsBy(db, sql`route`, where),
  ])
  const found = await db.select({ id: companies.id, name: companies.name }).from(companies)
  const names = new Map(found.map(({ id, name }) => [String(id), name]))
  const all = addLabels(rows, names, 'Organisation supprimée').map((row) => ({ ...row, companyId: Number(row.id) }))
  return { ...span, total, series, companies: all, routes: labelByName(routes) }
}

/** The calls of the user's company. */
const callScope = (actor: Actor) => sql`company_id = ${actor.companyId}`

const PREVIOUS_HOUR = sql`date_trunc('hour', now() - interval '1 hour')`
const PREVIOUS_DAY = sql`date_trunc('day', now() - interval '1 day', 'Europe/Paris')`

/** Start, chart unit and number of units of each period. */
const PERIODS: Record<GatewayPeriod, { from: SQL; unit: string; parts: number }> = {
  hour: { from: sql`date_trunc('minute', now() - interval '59 minutes')`, unit: 'minute', parts: 60 },
  day: { from: sql`date_trunc('hour', now() - interval '23 hours')`, unit: 'hour', parts: 24 },
  month: { from: sql`date_trunc('day', now() - interval '29 days', 'Europe/Paris')`, unit: 'day', parts: 30 },
  year: { from: sql`date_trunc('month', now() - interval '11 months', 'Europe/Paris')`, unit: 'month', parts: 12 },
}
const getGatewayPeriod = (period: GatewayPeriod) => PERIODS[period]

/** Combines coarse totals of older times with finer ones for what they do not cover yet; no call is counted twice. */
function whereCallsOfPeriod(period: GatewayPeriod): SQL {
  const { from } = PERIODS[period]
  const recentMinutes = sql`(step = 'minute' and at >= ${PREVIOUS_HOUR})`
  if (period === 'hour' || period === 'day') return sql`step = 'minute' and at >= ${from}`
  if (period === 'month') return sql`((step = 'hour' and at >= ${from} and at < ${PREVIOUS_HOUR}) or ${recentMinutes})`
  const days = sql`(step = 'day' and at >= ${from} and at < ${PREVIOUS_DAY})`
  return sql`(${days} or (step = 'hour' and at >= ${PREVIOUS_DAY} and at < ${PREVIOUS_HOUR}) or ${recentMinutes})`
}

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
async function sumCallsBy(db: Db, by: SQL, where: SQL, maxRows = 50): Promise<(CallSums & { name: string })[]> {
  const { rows } = await db.execute<Row>(sql`
    select ${by} as name, ${sumColumn('calls')} as calls, ${sumColumn('errors')} as errors, ${sumColumn('failures')} as failures,
           ${BLOCKED_CALLS} as blocked, ${sumColumn('bytes_in')} as "bytesIn", ${sumColumn('bytes_out')} as "bytesOut",
           sum_buckets(buckets) filter (where reason = '') as buckets
      from call_counts where ${where} group by 1 order by 2 desc, 1 limit ${maxRows}`)
  return rows.map((row) => ({ name: row.name, ...toCallSums(row) }))
}

/** The overall totals, zero when there are no calls. */
async function sumAllCalls(db: Db, where: SQL): Promise<CallSums> {
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
async function loadCallSeries(db: Db, where: SQL, { from, unit }: { from: SQL; unit: string }) {
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

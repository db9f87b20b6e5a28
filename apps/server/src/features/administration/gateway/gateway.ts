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
import { MAX_CALLS_PER_KEY } from '../../../http/gateway/meter.ts'
import { loadApiKey } from '../api-keys/api-keys.ts'
import { callScope } from './scope.ts'
import { getGatewayPeriod, whereCallsOfPeriod } from './sources.ts'
import { loadCallSeries, sumAllCalls, sumCallsBy } from './sums.ts'

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

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
import { LAST_CALLS } from '../../../http/gateway/meter.ts'
import { findApiKey } from '../api-keys/api-keys.ts'
import { callScope } from './scope.ts'
import { periodOf, rowsOf } from './sources.ts'
import { seriesOf, sumsBy, totalOf } from './sums.ts'

type Sums = CallSums & { name: string }
type Names = Map<string, string>

async function keyNames(db: Db, actor: Actor, ids: string[]): Promise<Names> {
  if (ids.length === 0) return new Map()
  const own = and(eq(apiKeys.companyId, actor.companyId), inArray(apiKeys.id, ids))
  const rows = await db.select().from(apiKeys).where(own)
  return new Map(rows.map(({ id, name, prefix }) => [id, `${name} (${prefix}…)`]))
}

/** Of people who called in this company: their names are its own to read. */
async function peopleNames(db: Db, ids: string[]): Promise<Names> {
  if (ids.length === 0) return new Map()
  const rows = await db.select().from(users).where(inArray(users.id, ids))
  return new Map(rows.map(({ id, firstName, lastName, email }) => [id, `${firstName} ${lastName}`.trim() || email]))
}

const named = (rows: Sums[], names: Names, otherwise: string): NamedSums[] =>
  rows.map(({ name, ...sums }) => ({ ...sums, id: name, label: names.get(name) ?? otherwise }))
const itself = (rows: Sums[]): NamedSums[] => rows.map(({ name, ...sums }) => ({ ...sums, id: name, label: name }))
const ids = (rows: { name: string }[]) => rows.map(({ name }) => name)

async function spanOf(db: Db, period: GatewayPeriod) {
  const { rows } = await db.execute<{ from: Date; to: Date }>(
    sql`select ${periodOf(period).from} as "from", now() as "to"`,
  )
  const { from, to } = rows[0] ?? { from: new Date(), to: new Date() }
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

type Block = {
  who: string
  kind: 'key' | 'person'
  reason: BlockedCalls['reason']
  route: string
  calls: number
  last: Date
}

const MOST_BLOCKED = 100
const blockedOf = async (db: Db, where: SQL): Promise<Block[]> =>
  (
    await db.execute<Block>(sql`
      select who, kind, reason, route, sum(calls)::float8 as calls, max(at) as last from call_counts
       where ${where} and reason <> '' group by who, kind, reason, route order by max(at) desc, 5 desc limit ${MOST_BLOCKED}`)
  ).rows

export async function readGateway(
  db: Db,
  actor: Actor,
  query: z.output<typeof GatewayQuery>,
): Promise<GatewayOverview> {
  const { period, keyId, userId, route } = query
  const who = (kind: string, id: string | undefined) => (id ? sql` and kind = ${kind} and who = ${id}` : sql``)
  const only = sql`${who('key', keyId)}${who('person', userId)}${route ? sql` and route = ${route}` : sql``}`
  const where = sql`${callScope(actor)} and ${rowsOf(period)}${only}`
  const of = (kind: string) => sql`${where} and kind = ${kind}`
  const [span, total, series, keys, people, routes, blocked] = await Promise.all([
    spanOf(db, period),
    totalOf(db, where),
    seriesOf(db, where, periodOf(period)),
    sumsBy(db, sql`who::text`, of('key')),
    sumsBy(db, sql`who::text`, of('person')),
    sumsBy(db, sql`route`, where),
    blockedOf(db, where),
  ])
  const whose = (kind: string) => blocked.filter((row) => row.kind === kind).map((row) => row.who)
  const names = new Map([
    ...(await keyNames(db, actor, [...ids(keys), ...whose('key')])),
    ...(await peopleNames(db, [...ids(people), ...whose('person')])),
  ])
  return {
    ...span,
    total,
    series,
    keys: named(keys, names, 'Clé supprimée'),
    people: named(people, names, 'Compte supprimé'),
    routes: itself(routes),
    blocked: blocked.map(({ last, ...row }) => ({
      ...row,
      id: `${row.who} ${row.reason} ${row.route}`,
      who: names.get(row.who) ?? 'Appelant inconnu',
      last: new Date(last).toISOString(),
    })),
  }
}

/** One by one, newest first. */
export async function lastCalls(db: Db, actor: Actor, id: string) {
  const { name } = await findApiKey(db, actor, id)
  const rows = await db
    .select()
    .from(keyCalls)
    .where(and(eq(keyCalls.companyId, actor.companyId), eq(keyCalls.keyId, id)))
    .orderBy(desc(keyCalls.at))
    .limit(LAST_CALLS)
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

/** Of all companies, for who keeps the installation: how much each calls, not who in it. */
export async function readInstallation(db: Db, period: GatewayPeriod) {
  const where = rowsOf(period)
  const [span, total, series, rows, routes] = await Promise.all([
    spanOf(db, period),
    totalOf(db, where),
    seriesOf(db, where, periodOf(period)),
    sumsBy(db, sql`company_id::text`, where, 200),
    sumsBy(db, sql`route`, where),
  ])
  const found = await db.select({ id: companies.id, name: companies.name }).from(companies)
  const names = new Map(found.map(({ id, name }) => [String(id), name]))
  const all = named(rows, names, 'Organisation supprimée').map((row) => ({ ...row, companyId: Number(row.id) }))
  return { ...span, total, series, companies: all, routes: itself(routes) }
}

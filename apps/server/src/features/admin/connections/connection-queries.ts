import type { Connection, ConnectionRun } from '@voisol/contract/connections'
import type { ListQuery } from '@voisol/contract/primitives'
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { apiKeys, connectionRuns, connectionSteps, connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { type Connector, type ConnectorSettings, isSecretField } from '../../../integrations/connections/connector.ts'
import { type ConnectionRow, decryptSettings, requireConnector } from './connection-settings.ts'

type RunRow = typeof connectionRuns.$inferSelect
const toConnectionRun = ({ companyId: _, connectionId: __, ...row }: RunRow): ConnectionRun => ({
  ...row,
  state: row.state as ConnectionRun['state'], // the column has a CHECK constraint
  startedAt: row.startedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})

async function loadLastRuns(db: Db, rows: ConnectionRow[]): Promise<Map<string, RunRow>> {
  const [first] = rows
  if (!first) return new Map()
  const ids = rows.map(({ id }) => id)
  const found = await db
    .selectDistinctOn([connectionRuns.connectionId])
    .from(connectionRuns)
    .where(and(eq(connectionRuns.companyId, first.companyId), inArray(connectionRuns.connectionId, ids)))
    .orderBy(connectionRuns.connectionId, desc(connectionRuns.startedAt))
  return new Map(found.map((run) => [run.connectionId, run]))
}

type FeedKey = Pick<typeof apiKeys.$inferSelect, 'id' | 'prefix' | 'lastUsedAt' | 'revokedAt'>
async function loadFeedKeys(db: Db, rows: ConnectionRow[]): Promise<Map<string, FeedKey>> {
  const ids = rows.flatMap(({ keyId }) => keyId ?? [])
  const [first] = rows
  if (!first || ids.length === 0) return new Map()
  const found = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.companyId, first.companyId), inArray(apiKeys.id, ids)))
  return new Map(found.map((key) => [key.id, key]))
}

const TOKEN_REVOKED = 'Son jeton a été révoqué\u00a0: supprimez ce flux et créez-en un autre.'

/** Removes the fields that must not be shown again. */
function hideSecrets({ fields }: Connector, settings: ConnectorSettings) {
  const secret = fields.filter(isSecretField).map(({ name }) => name)
  const open = Object.entries(settings).filter(([name]) => !secret.includes(name))
  return { settings: Object.fromEntries(open), held: secret.filter((name) => settings[name]) }
}

function toConnection(deps: Pick<Deps, 'secrets'>, row: ConnectionRow, run?: RunRow, key?: FeedKey): Connection {
  const connector = requireConnector(row.kind)
  const revoked = key?.revokedAt !== undefined && key.revokedAt !== null
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    ...hideSecrets(connector, decryptSettings(deps, row)),
    can: connector.can,
    state: revoked ? 'stopped' : (row.state as Connection['state']), // the column has a CHECK constraint
    trouble: revoked ? TOKEN_REVOKED : row.trouble,
    schedule: row.schedule as Connection['schedule'], // likewise
    shipments: row.shipments,
    hostKey: row.hostKey,
    offeredKey: row.offeredKey,
    apiKey: key ? { id: key.id, prefix: key.prefix, lastUsedAt: key.lastUsedAt?.toISOString() ?? null } : null,
    lastRun: run ? toConnectionRun(run) : null,
    // An SMTP connection has no schedule: it is used when there is mail to send.
    nextRunAt: row.state === 'active' && row.kind !== 'smtp' ? (row.nextRunAt?.toISOString() ?? null) : null,
    createdAt: row.createdAt.toISOString(),
    version: row.version,
  }
}

async function loadConnectionViews(db: Db, deps: Pick<Deps, 'secrets'>, rows: ConnectionRow[]): Promise<Connection[]> {
  const [runs, keys] = [await loadLastRuns(db, rows), await loadFeedKeys(db, rows)]
  return rows.map((row) => toConnection(deps, row, runs.get(row.id), row.keyId ? keys.get(row.keyId) : undefined))
}

export async function loadSingleConnectionView(
  db: Db,
  deps: Pick<Deps, 'secrets'>,
  row: ConnectionRow,
): Promise<Connection> {
  const [one] = await loadConnectionViews(db, deps, [row])
  if (!one) throw new AppError('not-found')
  return one
}

export async function listConnections(db: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, query: ListQuery) {
  const where = and(connectionScope(actor), matchesSearchWords(query.q, [connections.name]))
  const sorts = { name: sql`fold(${connections.name})`, createdAt: connections.createdAt }
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select()
    .from(connections)
    .where(where)
    .orderBy(buildOrderBy(query.sort, sorts, 'name'), connections.id)
    .limit(limit)
    .offset(offset)
  const [sum] = await db.select({ total: count() }).from(connections).where(where)
  return { items: await loadConnectionViews(db, deps, rows), total: sum?.total ?? 0 }
}

export async function loadConnection(db: Db, actor: Pick<Actor, 'companyId'>, id: string): Promise<ConnectionRow> {
  const [row] = await db
    .select()
    .from(connections)
    .where(and(connectionScope(actor), eq(connections.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export async function listConnectionRuns(db: Db, actor: Actor, id: string, query: ListQuery) {
  await loadConnection(db, actor, id)
  const where = and(eq(connectionRuns.companyId, actor.companyId), eq(connectionRuns.connectionId, id))
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select()
    .from(connectionRuns)
    .where(where)
    .orderBy(desc(connectionRuns.startedAt), connectionRuns.id)
    .limit(limit)
    .offset(offset)
  const [sum] = await db.select({ total: count() }).from(connectionRuns).where(where)
  return { items: rows.map(toConnectionRun), total: sum?.total ?? 0 }
}

export async function loadConnectionRun(db: Db, actor: Actor, id: string, runId: string) {
  const { companyId } = actor
  const own = and(eq(connectionRuns.companyId, companyId), eq(connectionRuns.connectionId, id))
  const [run] = await db
    .select()
    .from(connectionRuns)
    .where(and(own, eq(connectionRuns.id, runId)))
  if (!run) throw new AppError('not-found')
  const rows = await db
    .select()
    .from(connectionSteps)
    .where(and(eq(connectionSteps.companyId, companyId), eq(connectionSteps.runId, runId)))
    .orderBy(connectionSteps.at, connectionSteps.id)
  const steps = rows.map(({ companyId: _, runId: __, at, ...step }) => ({ ...step, at: at.toISOString() }))
  return { run: toConnectionRun(run), steps }
}

export const connectionScope = (actor: Pick<Actor, 'companyId'>) => eq(connections.companyId, actor.companyId)

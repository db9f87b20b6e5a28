import type { ConnectionChange, ConnectionTest, NewConnection } from '@voisol/contract/connections'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { hasPermission } from '@voisol/contract/permissions'
import { and, count, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { getConnectionSealContext } from '../../../core/connection-runs.ts'
import type { Db } from '../../../db/client.ts'
import { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import {
  type Connector,
  type ConnectorSettings,
  type OpenedConnection,
  toConnectionFault,
} from '../../../integrations/connections/connector.ts'
import { parseDataSets } from '../../../integrations/connections/connectors.ts'
import { LOCAL_SIMULATOR } from '../../../integrations/connections/weather.ts'
import type { Secrets } from '../../../secrets.ts'
import { createApiKey, revokeApiKey } from '../api-keys/index.ts'
import { connectionScope, loadConnection } from './connection-queries.ts'
import {
  type ConnectionRow,
  decryptSettings,
  getNextConnectionRun,
  parseSettings,
  requireConnector,
  toConnectorTools,
} from './connection-settings.ts'
import { requireAllowedShipments } from './shipments.ts'

const MAX_CONNECTIONS = 30
type ConnectionInput = Omit<z.output<typeof NewConnection>, 'kind'>

/** Requires a passed test, unless the user accepted to save the connection on hold. */
function requirePassedTest(
  tested: ConnectionTest,
  anyway = false,
  remedy = 'Corrigez, ou enregistrez la connexion en pause.',
) {
  if (!tested.ok && !anyway)
    throw new AppError('trial-failed', { message: `L’essai n’a pas réussi\u00a0: ${tested.message} ${remedy}` })
}
const FIX_THEN_RESUME = 'Corrigez la cause, puis reprenez-la.'
const toStateColumns = ({ ok, message }: ConnectionTest) => ({
  state: ok ? 'active' : 'paused',
  trouble: ok ? '' : message,
  failures: 0,
})

const toMakerColumns = ({ userId, keyId }: Actor) => ({ makerId: userId, makerKeyId: keyId ?? null })

/** Weather forecasts have a fixed schedule of their own. */
const getSchedule = (
  { can: able }: Connector,
  { schedule }: Pick<ConnectionInput, 'schedule'>,
): ConnectionInput['schedule'] => {
  if (able.includes('fetch')) return 'six-hours'
  return able.includes('deliver') ? schedule : 'none'
}

async function requireConnectionAllowed(tx: Db, actor: Actor, { kind, label }: Connector, except?: string) {
  const all = await tx
    .select({ id: connections.id, kind: connections.kind, state: connections.state })
    .from(connections)
    .where(connectionScope(actor))
    .for('update')
  if (!except && all.length >= MAX_CONNECTIONS)
    throw new AppError('conflict', { message: `Une organisation peut avoir ${MAX_CONNECTIONS} connexions au plus.` })
  const other = all.some((one) => one.kind === kind && one.state === 'active' && one.id !== except)
  if (kind === 'smtp' && other)
    throw new AppError('conflict', {
      message: `Une organisation a un seul «\u00a0${label}\u00a0» à la fois\u00a0: suspendez l’autre d’abord.`,
    })
}

/** The token of a feed is an API key that can read the chosen data sets and nothing else. */
async function createFeedToken(tx: Db, actor: Actor, name: string, settings: ConnectorSettings) {
  if (!hasPermission(actor, 'api-keys.write'))
    throw new AppError('forbidden', {
      message: 'Un flux se lit avec une clé d’API\u00a0: il faut le droit d’en créer.',
    })
  const permissions = [...new Set(parseDataSets(settings).map((set) => DATA_SETS[set].permission))]
  const limits = { allowedNetworks: [], perSecond: 5, perMonth: null, expiresOn: null, operationIds: null }
  return createApiKey(tx, actor, { ...limits, name: `Flux ${name}`.slice(0, 60), permissions })
}

export async function createConnection(tx: Db, deps: Deps, actor: Actor, input: z.output<typeof NewConnection>) {
  const connector = requireConnector(input.kind)
  const shipments = requireAllowedShipments(actor, connector, input.shipments)
  const settings = parseSettings(toConnectorTools(deps), connector, input.settings)
  const tested = await testConnection(deps, connector, { settings, hostKey: '' }, actor.email)
  requirePassedTest(tested, input.anyway)
  await requireConnectionAllowed(tx, actor, connector)
  const { companyId } = actor
  const id = crypto.randomUUID()
  const schedule = getSchedule(connector, input)
  const token = connector.can.includes('feed') ? await createFeedToken(tx, actor, input.name, settings) : undefined
  const sealed = deps.secrets.seal(JSON.stringify(settings), getConnectionSealContext({ companyId, id }))
  const nextRunAt = connector.can.includes('fetch') ? new Date() : getNextConnectionRun(schedule, id, new Date())
  const own = {
    companyId,
    id,
    ...toMakerColumns(actor),
    kind: input.kind,
    name: input.name,
    settings: sealed,
    schedule,
    shipments,
  }
  const more = { nextRunAt, hostKey: tested.ok ? tested.hostKey : '', keyId: token?.id ?? null }
  const [row] = await tx
    .insert(connections)
    .values({ ...own, ...more, ...toStateColumns(tested) })
    .returning()
  if (!row) throw new AppError('internal')
  return { row, token: token?.key ?? null }
}

export async function lockConnection(tx: Db, actor: Actor, id: string): Promise<ConnectionRow> {
  await tx
    .select({ id: connections.id })
    .from(connections)
    .where(and(connectionScope(actor), eq(connections.id, id)))
    .for('update')
  return loadConnection(tx, actor, id)
}

/**
 * A test can take a minute, during which no row is locked: a connection that somebody changed meanwhile is refused,
 * since the test was of the earlier version.
 */
async function lockUnchangedConnection(tx: Db, actor: Actor, seen: ConnectionRow): Promise<ConnectionRow> {
  const now = await lockConnection(tx, actor, seen.id)
  requireCurrentVersion(now, { version: seen.version })
  return now
}

async function updateConnectionRow(tx: Db, row: ConnectionRow, values: Partial<ConnectionRow>): Promise<ConnectionRow> {
  const [after] = await tx
    .update(connections)
    .set({ ...values, version: row.version + 1 })
    .where(and(connectionScope(row), eq(connections.id, row.id)))
    .returning()
  if (!after) throw new AppError('not-found')
  return after
}

/** A changed host is another server, whose host key is not known yet. */
export const getHostKeyAfterChange = (
  { hostKey }: ConnectionRow,
  { whereTo }: Connector,
  before: ConnectorSettings,
  after: ConnectorSettings,
) => (whereTo.filter((name) => name !== 'user').some((name) => before[name] !== after[name]) ? '' : hostKey)

export async function updateConnection(
  tx: Db,
  deps: Deps,
  actor: Actor,
  id: string,
  input: z.output<typeof ConnectionChange>,
) {
  const seen = await loadConnection(tx, actor, id)
  requireCurrentVersion(seen, input)
  const connector = requireConnector(seen.kind)
  if (connector.can.includes('feed') && input.settings.dataSets !== decryptSettings(deps, seen).dataSets)
    throw fieldError(
      'settings.dataSets',
      'Un jeton garde ce qu’il ouvre\u00a0: créez un autre flux, puis supprimez celui-ci.',
    )
  const shipments = requireAllowedShipments(actor, connector, input.shipments)
  const storedSettings = decryptSettings(deps, seen)
  const settings = parseSettings(toConnectorTools(deps), connector, input.settings, storedSettings)
  const hostKey = getHostKeyAfterChange(seen, connector, storedSettings, settings)
  const tested = await testConnection(deps, connector, { settings, hostKey }, actor.email)
  requirePassedTest(tested, input.anyway)
  const before = await lockUnchangedConnection(tx, actor, seen)
  if (tested.ok) await requireConnectionAllowed(tx, actor, connector, id)
  const schedule = getSchedule(connector, input)
  const after = await updateConnectionRow(tx, before, {
    ...toStateColumns(tested),
    name: input.name,
    settings: deps.secrets.seal(JSON.stringify(settings), getConnectionSealContext(before)),
    schedule,
    shipments,
    ...toMakerColumns(actor),
    hostKey: tested.ok ? tested.hostKey : hostKey,
    offeredKey: tested.ok ? '' : hostKey && tested.hostKey,
    nextRunAt: getNextConnectionRun(schedule, id, new Date()),
  })
  return { before, after }
}

/** A connection on hold sends nothing; to become active again it must pass its test, and its failures are reset. */
export async function setConnectionState(tx: Db, deps: Deps, actor: Actor, id: string, state: 'active' | 'paused') {
  const seen = await loadConnection(tx, actor, id)
  const connector = requireConnector(seen.kind)
  if (connector.can.includes('feed'))
    throw new AppError('conflict', {
      message: 'Un flux ne se suspend pas\u00a0: supprimez-le, son jeton cesse aussitôt.',
    })
  if (state === 'paused') {
    const before = await lockConnection(tx, actor, id)
    return { before, after: await updateConnectionRow(tx, before, { state, trouble: '' }) }
  }
  const tested = await testConnection(
    deps,
    connector,
    { settings: decryptSettings(deps, seen), hostKey: seen.hostKey },
    actor.email,
  )
  requirePassedTest(tested, false, FIX_THEN_RESUME)
  const before = await lockUnchangedConnection(tx, actor, seen)
  await requireConnectionAllowed(tx, actor, connector, id)
  const nextRunAt = getNextConnectionRun(before.schedule as ConnectionInput['schedule'], id, new Date()) // checked by the table
  const values = {
    ...toStateColumns(tested),
    hostKey: tested.hostKey,
    offeredKey: '',
    nextRunAt,
    ...toMakerColumns(actor),
  }
  return { before, after: await updateConnectionRow(tx, before, values) }
}

/** The user confirms the fingerprint that they saw, and it must be the one that the server presents now. */
export async function acceptHostKey(tx: Db, deps: Deps, actor: Actor, id: string, fingerprint: string) {
  const seen = await loadConnection(tx, actor, id)
  if (!seen.offeredKey || seen.offeredKey !== fingerprint)
    throw fieldError('fingerprint', 'Ce n’est pas la clé que le serveur a montrée\u00a0: relisez l’empreinte.')
  const connector = requireConnector(seen.kind)
  const tested = await testConnection(
    deps,
    connector,
    { settings: decryptSettings(deps, seen), hostKey: fingerprint },
    actor.email,
  )
  requirePassedTest(tested, false, FIX_THEN_RESUME)
  const before = await lockUnchangedConnection(tx, actor, seen)
  const nextRunAt = getNextConnectionRun(before.schedule as ConnectionInput['schedule'], id, new Date()) // checked by the table
  const values = {
    ...toStateColumns(tested),
    hostKey: fingerprint,
    offeredKey: '',
    nextRunAt,
    ...toMakerColumns(actor),
  }
  return { before, after: await updateConnectionRow(tx, before, values) }
}

export async function removeConnection(tx: Db, actor: Actor, id: string): Promise<ConnectionRow> {
  const row = await lockConnection(tx, actor, id)
  await tx.delete(connections).where(and(connectionScope(actor), eq(connections.id, id)))
  if (row.keyId) await revokeApiKey(tx, actor, row.keyId)
  return row
}

export const countConnections = async (db: Db, companyId: number): Promise<number> =>
  (await db.select({ total: count() }).from(connections).where(connectionScope({ companyId })))[0]?.total ?? 0

/** Connects to the remote system and reports the result; a failure is a normal result, not an exception. */
export async function testConnection(
  deps: Deps,
  connector: Connector,
  opened: OpenedConnection,
  to: string,
): Promise<ConnectionTest> {
  try {
    return { ok: true, ...(await connector.test(toConnectorTools(deps), opened, to)) }
  } catch (error) {
    const fault = toConnectionFault(error)
    deps.log.info({ err: fault, kind: connector.kind }, 'connection test failed')
    return { ok: false, message: fault.message, facts: [], hostKey: fault.offeredKey }
  }
}

/** Connects the demo company to the weather simulator without a test, since the simulator may not be listening yet. */
export async function seedWeather(tx: Db, secrets: Secrets, { companyId, userId: makerId }: Actor): Promise<void> {
  const id = crypto.randomUUID()
  const settings = secrets.seal(
    JSON.stringify({ baseUrl: LOCAL_SIMULATOR, key: '' }),
    getConnectionSealContext({ companyId, id }),
  )
  const schedule = 'six-hours'
  const own = { companyId, id, makerId, kind: 'weather', name: 'Météo de démonstration', settings, schedule }
  await tx
    .insert(connections)
    .values({ ...own, state: 'active', nextRunAt: getNextConnectionRun(schedule, id, new Date()) })
}

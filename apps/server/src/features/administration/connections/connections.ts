import type { ConnectionChange, NewConnection, Tested } from '@voisol/contract/connections'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { can } from '@voisol/contract/permissions'
import { and, count, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Connector, Settings } from '../../../adapters/connections/connector.ts'
import { dataSetsOf } from '../../../adapters/connections/feed.ts'
import { placeOfConnection } from '../../../core/connection-runs.ts'
import type { Db } from '../../../db/client.ts'
import { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { createApiKey, revokeApiKey } from '../api-keys/api-keys.ts'
import { test } from './check.ts'
import { nextRun } from './schedule.ts'
import { connectionScope } from './scope.ts'
import { findConnector, openSettings, type Row, readSettings, toolsOf } from './settings.ts'
import { requireShipments } from './shipments.ts'
import { findConnection } from './view.ts'

export { dropFile, troubleOf } from './carry.ts'
export { onceOf } from './jobs.ts'
export { seedWeather } from './seed.ts'

const MOST = 30
type Draft = Omit<z.output<typeof NewConnection>, 'kind'>

/** It passes its test, or whoever saves said that it may wait for it. */
function requirePassed(tested: Tested, anyway = false, remedy = 'Corrigez, ou enregistrez la connexion en pause.') {
  if (!tested.ok && !anyway)
    throw new AppError('trial-failed', { message: `L’essai n’a pas réussi\u00a0: ${tested.message} ${remedy}` })
}
const NOT_BACK = 'Corrigez la cause, puis reprenez-la.'
const stateOf = ({ ok, message }: Tested) => ({
  state: ok ? 'active' : 'paused',
  trouble: ok ? '' : message,
  failures: 0,
})

const makerOf = ({ userId, keyId }: Actor) => ({ makerId: userId, makerKeyId: keyId ?? null })

/** The weather comes at its own pace. */
const paceOf = ({ can: able }: Connector, { schedule }: Pick<Draft, 'schedule'>): Draft['schedule'] => {
  if (able.includes('fetch')) return 'six-hours'
  return able.includes('deliver') ? schedule : 'none'
}

async function requireRoom(tx: Db, actor: Actor, { kind, label }: Connector, except?: string) {
  const all = await tx
    .select({ id: connections.id, kind: connections.kind, state: connections.state })
    .from(connections)
    .where(connectionScope(actor))
    .for('update')
  if (!except && all.length >= MOST)
    throw new AppError('conflict', { message: `Une organisation peut avoir ${MOST} connexions au plus.` })
  const other = all.some((one) => one.kind === kind && one.state === 'active' && one.id !== except)
  if (kind === 'smtp' && other)
    throw new AppError('conflict', {
      message: `Une organisation a un seul «\u00a0${label}\u00a0» à la fois\u00a0: suspendez l’autre d’abord.`,
    })
}

/** The token of a feed is a key of the API that opens its data sets and nothing else. */
async function tokenOf(tx: Db, actor: Actor, name: string, settings: Settings) {
  if (!can(actor, 'api-keys.write'))
    throw new AppError('forbidden', {
      message: 'Un flux se lit avec une clé d’API\u00a0: il faut le droit d’en créer.',
    })
  const permissions = [...new Set(dataSetsOf(settings).map((set) => DATA_SETS[set].permission))]
  const limits = { allowedNetworks: [], perSecond: 5, perMonth: null, expiresOn: null, operationIds: null }
  return createApiKey(tx, actor, { ...limits, name: `Flux ${name}`.slice(0, 60), permissions })
}

export async function createConnection(tx: Db, deps: Deps, actor: Actor, input: z.output<typeof NewConnection>) {
  const connector = findConnector(input.kind)
  const shipments = requireShipments(actor, connector, input.shipments)
  const settings = readSettings(toolsOf(deps), connector, input.settings)
  const tested = await test(deps, connector, { settings, hostKey: '' }, actor.email)
  requirePassed(tested, input.anyway)
  await requireRoom(tx, actor, connector)
  const { companyId } = actor
  const id = crypto.randomUUID()
  const schedule = paceOf(connector, input)
  const token = connector.can.includes('feed') ? await tokenOf(tx, actor, input.name, settings) : undefined
  const sealed = deps.secrets.seal(JSON.stringify(settings), placeOfConnection({ companyId, id }))
  const nextRunAt = connector.can.includes('fetch') ? new Date() : nextRun(schedule, id, new Date())
  const own = {
    companyId,
    id,
    ...makerOf(actor),
    kind: input.kind,
    name: input.name,
    settings: sealed,
    schedule,
    shipments,
  }
  const more = { nextRunAt, hostKey: tested.ok ? tested.hostKey : '', keyId: token?.id ?? null }
  const [row] = await tx
    .insert(connections)
    .values({ ...own, ...more, ...stateOf(tested) })
    .returning()
  if (!row) throw new AppError('internal')
  return { row, token: token?.key ?? null }
}

export async function lockConnection(tx: Db, actor: Actor, id: string): Promise<Row> {
  await tx
    .select({ id: connections.id })
    .from(connections)
    .where(and(connectionScope(actor), eq(connections.id, id)))
    .for('update')
  return findConnection(tx, actor, id)
}

/** A test may last a minute, during which nothing is held: what somebody changed meanwhile was not what was tried. */
async function lockUnchanged(tx: Db, actor: Actor, seen: Row): Promise<Row> {
  const now = await lockConnection(tx, actor, seen.id)
  requireVersion(now, { version: seen.version })
  return now
}

export async function change(tx: Db, row: Row, values: Partial<Row>): Promise<Row> {
  const [after] = await tx
    .update(connections)
    .set({ ...values, version: row.version + 1 })
    .where(and(connectionScope(row), eq(connections.id, row.id)))
    .returning()
  if (!after) throw new AppError('not-found')
  return after
}

/** Another host is another server: its key is seen for the first time. */
export const keyFor = ({ hostKey }: Row, { whereTo }: Connector, before: Settings, after: Settings) =>
  whereTo.filter((name) => name !== 'user').some((name) => before[name] !== after[name]) ? '' : hostKey

export async function updateConnection(
  tx: Db,
  deps: Deps,
  actor: Actor,
  id: string,
  input: z.output<typeof ConnectionChange>,
) {
  const seen = await findConnection(tx, actor, id)
  requireVersion(seen, input)
  const connector = findConnector(seen.kind)
  if (connector.can.includes('feed') && input.settings.dataSets !== openSettings(deps, seen).dataSets)
    throw fieldError(
      'settings.dataSets',
      'Un jeton garde ce qu’il ouvre\u00a0: créez un autre flux, puis supprimez celui-ci.',
    )
  const shipments = requireShipments(actor, connector, input.shipments)
  const held = openSettings(deps, seen)
  const settings = readSettings(toolsOf(deps), connector, input.settings, held)
  const hostKey = keyFor(seen, connector, held, settings)
  const tested = await test(deps, connector, { settings, hostKey }, actor.email)
  requirePassed(tested, input.anyway)
  const before = await lockUnchanged(tx, actor, seen)
  if (tested.ok) await requireRoom(tx, actor, connector, id)
  const schedule = paceOf(connector, input)
  const after = await change(tx, before, {
    ...stateOf(tested),
    name: input.name,
    settings: deps.secrets.seal(JSON.stringify(settings), placeOfConnection(before)),
    schedule,
    shipments,
    ...makerOf(actor),
    hostKey: tested.ok ? tested.hostKey : hostKey,
    offeredKey: tested.ok ? '' : hostKey && tested.hostKey,
    nextRunAt: nextRun(schedule, id, new Date()),
  })
  return { before, after }
}

/** On hold nothing leaves; taken up again it must pass its test, and its failures are forgotten. */
export async function moveConnection(tx: Db, deps: Deps, actor: Actor, id: string, state: 'active' | 'paused') {
  const seen = await findConnection(tx, actor, id)
  const connector = findConnector(seen.kind)
  if (connector.can.includes('feed'))
    throw new AppError('conflict', {
      message: 'Un flux ne se suspend pas\u00a0: supprimez-le, son jeton cesse aussitôt.',
    })
  if (state === 'paused') {
    const before = await lockConnection(tx, actor, id)
    return { before, after: await change(tx, before, { state, trouble: '' }) }
  }
  const tested = await test(deps, connector, { settings: openSettings(deps, seen), hostKey: seen.hostKey }, actor.email)
  requirePassed(tested, false, NOT_BACK)
  const before = await lockUnchanged(tx, actor, seen)
  await requireRoom(tx, actor, connector, id)
  const nextRunAt = nextRun(before.schedule as Draft['schedule'], id, new Date()) // checked by the table
  const values = { ...stateOf(tested), hostKey: tested.hostKey, offeredKey: '', nextRunAt, ...makerOf(actor) }
  return { before, after: await change(tx, before, values) }
}

/** Deliberate: whoever accepts says which key they saw, and it must be the one that the server shows. */
export async function acceptKey(tx: Db, deps: Deps, actor: Actor, id: string, fingerprint: string) {
  const seen = await findConnection(tx, actor, id)
  if (!seen.offeredKey || seen.offeredKey !== fingerprint)
    throw fieldError('fingerprint', 'Ce n’est pas la clé que le serveur a montrée\u00a0: relisez l’empreinte.')
  const connector = findConnector(seen.kind)
  const tested = await test(deps, connector, { settings: openSettings(deps, seen), hostKey: fingerprint }, actor.email)
  requirePassed(tested, false, NOT_BACK)
  const before = await lockUnchanged(tx, actor, seen)
  const nextRunAt = nextRun(before.schedule as Draft['schedule'], id, new Date()) // checked by the table
  const values = { ...stateOf(tested), hostKey: fingerprint, offeredKey: '', nextRunAt, ...makerOf(actor) }
  return { before, after: await change(tx, before, values) }
}

export async function removeConnection(tx: Db, actor: Actor, id: string): Promise<Row> {
  const row = await lockConnection(tx, actor, id)
  await tx.delete(connections).where(and(connectionScope(actor), eq(connections.id, id)))
  if (row.keyId) await revokeApiKey(tx, actor, row.keyId)
  return row
}

export const countConnections = async (db: Db, companyId: number): Promise<number> =>
  (await db.select({ total: count() }).from(connections).where(connectionScope({ companyId })))[0]?.total ?? 0

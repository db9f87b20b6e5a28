import type { Schedule } from '@voisol/contract/connections'
import { and, eq } from 'drizzle-orm'
import type { Connector, Opened } from '../../../adapters/connections/connector.ts'
import { ConnectionFault, faultOf } from '../../../adapters/connections/faults.ts'
import { connectorOf } from '../../../adapters/connections/table.ts'
import { closeRun, failRun, type Log, openRun } from '../../../core/connection-runs.ts'
import { connectionDeliveries, connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob, refusalOf } from '../../../http/job-actor.ts'
import { today } from '../../../today.ts'
import { withDrafts } from './draft.ts'
import { fetchWeather } from './fetch-weather.ts'
import { nextRun } from './schedule.ts'
import { openSettings, type Row, toolsOf } from './settings.ts'
import { plannedShipments } from './ship-exports.ts'
import { type Packed, shipmentOf } from './shipments.ts'

export type Asked = { companyId: number; id: string; askedBy: string }
type Sent = { files: number; bytes: number }
type Trip = { deps: Deps; row: Row; connector: Connector; opened: Opened; log: Log }

const since = (from: number) => Math.round(performance.now() - from)

async function isSent({ deps, row }: Trip, { name, sha256 }: { name: string; sha256: string }): Promise<boolean> {
  const { companyId, id } = row
  const own = and(eq(connectionDeliveries.companyId, companyId), eq(connectionDeliveries.connectionId, id))
  const found = await deps.db
    .select({ id: connectionDeliveries.id })
    .from(connectionDeliveries)
    .where(and(own, eq(connectionDeliveries.name, name), eq(connectionDeliveries.sha256, sha256)))
  return found.length > 0
}

/** The same content under the same name leaves once, whoever asks again. */
async function send(trip: Trip, packed: Packed): Promise<Sent> {
  const { deps, row, connector, opened, log } = trip
  const none = { files: 0, bytes: 0 }
  if ('skip' in packed) {
    await log.add({ text: packed.skip })
    return none
  }
  const { parcel } = packed
  const { name, sha256, bytes } = parcel
  if (await isSent(trip, parcel)) {
    await log.add({ text: `${name} n’a pas changé\u00a0: déjà envoyé.` })
    return none
  }
  const from = performance.now()
  await connector.deliver?.(toolsOf(deps), opened, parcel)
  await deps.db
    .insert(connectionDeliveries)
    .values({ companyId: row.companyId, connectionId: row.id, name, sha256, bytes })
    .onConflictDoNothing()
  await log.add({ text: `${name} envoyé.`, milliseconds: since(from), bytes })
  return { files: 1, bytes }
}

/** In the name of whoever saved it last, or planned it, as they stand now: a right taken away meanwhile is gone here too. */
async function deliverAll(trip: Trip, signal?: AbortSignal): Promise<Sent> {
  const { deps, row, log } = trip
  const sum = { files: 0, bytes: 0 }
  const chosen = row.shipments.flatMap((id) => shipmentOf(id) ?? [])
  const own = chosen.map((shipment) => ({ shipment, userId: row.makerId }))
  const all = [...own, ...(await plannedShipments(deps, row))]
  if (all.length === 0) await log.add({ text: 'Rien à envoyer\u00a0: aucun contenu n’est choisi.' })
  for (const { shipment, userId } of all) {
    const asker = { companyId: row.companyId, userId }
    // Of somebody else, who may not see it any more: the rest is not held up by it.
    const refused = chosen.includes(shipment) ? undefined : await refusalOf(deps.db, asker, shipment)
    if (refused) {
      await log.add({ text: `${shipment.label}\u00a0: ${refused.message}` })
      continue
    }
    const actor = await authorizeJob(deps.db, asker, { permission: shipment.permission })
    await withDrafts(deps.config, async (folder) => {
      for await (const packed of shipment.pack({ deps, actor, folder, today: today() })) {
        signal?.throwIfAborted()
        const sent = await send(trip, packed)
        sum.files += sent.files
        sum.bytes += sent.bytes
      }
    })
  }
  return sum
}

async function travel(trip: Trip, signal?: AbortSignal): Promise<Sent> {
  const { deps, row, connector, log, opened } = trip
  await authorizeJob(deps.db, { companyId: row.companyId, userId: row.makerId }, { permission: 'connections.write' })
  // Judged when it runs, too: what was public when it was saved may have become something else.
  const [refusal] = connector.refusals(toolsOf(deps), opened.settings)
  if (refusal) throw new ConnectionFault(refusal.message, { hopeless: true })
  if (connector.can.includes('fetch')) return fetchWeather(deps, row, opened.settings, log)
  return connector.can.includes('deliver') ? deliverAll(trip, signal) : { files: 0, bytes: 0 }
}

const explained = (error: unknown) =>
  error instanceof AppError ? new ConnectionFault(error.message, { hopeless: true, cause: error }) : faultOf(error)

/** Runs it where it still may; what fails is written down with its next attempt. */
export async function runConnection(deps: Deps, { companyId, id, askedBy }: Asked, signal?: AbortSignal) {
  const [row] = await deps.db
    .select()
    .from(connections)
    .where(and(eq(connections.companyId, companyId), eq(connections.id, id)))
  const connector = row && connectorOf(row.kind)
  if (!connector || row.state !== 'active') return
  const log = await openRun(deps.db, row, askedBy)
  const from = performance.now()
  try {
    const opened = { settings: openSettings(deps, row), hostKey: row.hostKey }
    const sent = await travel({ deps, row, connector, opened, log }, signal)
    const schedule = row.schedule as Schedule // checked by the table
    await closeRun(deps.db, row, log, { ...sent, nextRunAt: nextRun(schedule, id, new Date()) })
  } catch (error) {
    const fault = explained(error)
    deps.log.warn({ err: fault, connection: id, kind: row.kind }, 'connection failed')
    await log.add({ text: fault.message, milliseconds: since(from) })
    await failRun(deps, row, log, fault, 'connections.run')
  }
}

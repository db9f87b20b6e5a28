import type { Schedule } from '@voisol/contract/connections'
import { and, eq } from 'drizzle-orm'
import type { Connector, OpenedConnection } from '../../../adapters/connections/connector.ts'
import { findConnectorOfKind } from '../../../adapters/connections/connectors.ts'
import {
  type ConnectionRunLog,
  failConnectionRun,
  finishConnectionRun,
  startConnectionRun,
} from '../../../core/connection-runs.ts'
import { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { authorizeJob, findJobRefusal } from '../../../http/job-actor.ts'
import { getToday } from '../../../today.ts'
import { type ConnectionRow, getNextConnectionRun } from './connection-settings.ts'
import {
  deliverOnce,
  getConnectionRequester,
  openAuthorizedConnection,
  toDeliveryFault,
  withDraftFolder,
} from './deliver-file.ts'
import { fetchWeather } from './fetch-weather.ts'
import { findShipment, listPlannedShipments, type PackResult } from './shipments.ts'

type RunConnectionInput = { companyId: number; id: string; askedBy: string }
type SentTotals = { files: number; bytes: number }
type RunContext = {
  deps: Deps
  row: ConnectionRow
  connector: Connector
  opened: OpenedConnection
  log: ConnectionRunLog
}

const getElapsedMs = (from: number) => Math.round(performance.now() - from)

/** Sends the file, or logs why there is none. */
async function sendPacked({ deps, row, connector, opened, log }: RunContext, result: PackResult): Promise<SentTotals> {
  const none = { files: 0, bytes: 0 }
  if ('skip' in result) {
    await log.add({ text: result.skip })
    return none
  }
  const { name, bytes } = result.parcel
  const from = performance.now()
  if (!(await deliverOnce(deps, row, connector, opened, result.parcel))) {
    await log.add({ text: `${name} n’a pas changé\u00a0: déjà envoyé.` })
    return none
  }
  await log.add({ text: `${name} envoyé.`, milliseconds: getElapsedMs(from), bytes })
  return { files: 1, bytes }
}

/**
 * Sends with the current permissions of whoever saved the connection, or planned the export: a permission withdrawn
 * meanwhile no longer counts.
 */
async function deliverShipments(trip: RunContext, signal?: AbortSignal): Promise<SentTotals> {
  const { deps, row, log } = trip
  const sum = { files: 0, bytes: 0 }
  const chosen = row.shipments.flatMap((id) => findShipment(id) ?? [])
  const own = chosen.map((shipment) => ({ shipment, asker: getConnectionRequester(row) }))
  const all = [...own, ...(await listPlannedShipments(deps, row))]
  if (all.length === 0) await log.add({ text: 'Rien à envoyer\u00a0: aucun contenu n’est choisi.' })
  for (const { shipment, asker } of all) {
    // A planned export whose owner lost access is skipped; the other shipments are still sent.
    const refused = chosen.includes(shipment) ? undefined : await findJobRefusal(deps.db, asker, shipment)
    if (refused) {
      await log.add({ text: `${shipment.label}\u00a0: ${refused.message}` })
      continue
    }
    const actor = await authorizeJob(deps.db, asker, { permission: shipment.permission })
    await withDraftFolder(deps.config, async (folder) => {
      for await (const packed of shipment.pack({ deps, actor, folder, today: getToday() })) {
        signal?.throwIfAborted()
        const sent = await sendPacked(trip, packed)
        sum.files += sent.files
        sum.bytes += sent.bytes
      }
    })
  }
  return sum
}

async function runConnector(trip: RunContext, signal?: AbortSignal): Promise<SentTotals> {
  const { deps, row, connector, log, opened } = trip
  if (connector.can.includes('fetch')) return fetchWeather(deps, row, opened.settings, log)
  return connector.can.includes('deliver') ? deliverShipments(trip, signal) : { files: 0, bytes: 0 }
}

/**
 * Runs the connection if its owner still has the permissions; a failure is recorded with the time of the next attempt.
 */
export async function runConnection(deps: Deps, { companyId, id, askedBy }: RunConnectionInput, signal?: AbortSignal) {
  const [row] = await deps.db
    .select()
    .from(connections)
    .where(and(eq(connections.companyId, companyId), eq(connections.id, id)))
  const connector = row && findConnectorOfKind(row.kind)
  if (!connector || row.state !== 'active') return
  const log = await startConnectionRun(deps.db, row, askedBy)
  const from = performance.now()
  try {
    const opened = await openAuthorizedConnection(deps, row, connector)
    const sent = await runConnector({ deps, row, connector, opened, log }, signal)
    const schedule = row.schedule as Schedule // the column has a CHECK constraint
    await finishConnectionRun(deps.db, row, log, { ...sent, nextRunAt: getNextConnectionRun(schedule, id, new Date()) })
  } catch (error) {
    const fault = toDeliveryFault(error)
    deps.log.warn({ err: fault, connection: id, kind: row.kind }, 'connection failed')
    await log.add({ text: fault.message, milliseconds: getElapsedMs(from) })
    await failConnectionRun(deps, row, log, fault, 'connections.run')
  }
}

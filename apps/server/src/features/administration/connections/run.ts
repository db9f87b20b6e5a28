import type { Schedule } from '@voisol/contract/connections'
import { and, eq } from 'drizzle-orm'
import type { Connector, Opened } from '../../../adapters/connections/connector.ts'
import { connectorOf } from '../../../adapters/connections/table.ts'
import { closeRun, failRun, type Log, openRun } from '../../../core/connection-runs.ts'
import { connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { authorizeJob, refusalOf } from '../../../http/job-actor.ts'
import { today } from '../../../today.ts'
import { admit, carry, explained, keeperOf } from './carry.ts'
import { withDrafts } from './draft.ts'
import { fetchWeather } from './fetch-weather.ts'
import { nextRun } from './schedule.ts'
import type { Row } from './settings.ts'
import { plannedShipments } from './ship-exports.ts'
import { type Packed, shipmentOf } from './shipments.ts'

export type Asked = { companyId: number; id: string; askedBy: string }
type Sent = { files: number; bytes: number }
type Trip = { deps: Deps; row: Row; connector: Connector; opened: Opened; log: Log }

const since = (from: number) => Math.round(performance.now() - from)

/** What it did, or why it did not, is a line of the log. */
async function send({ deps, row, connector, opened, log }: Trip, packed: Packed): Promise<Sent> {
  const none = { files: 0, bytes: 0 }
  if ('skip' in packed) {
    await log.add({ text: packed.skip })
    return none
  }
  const { name, bytes } = packed.parcel
  const from = performance.now()
  if (!(await carry(deps, row, connector, opened, packed.parcel))) {
    await log.add({ text: `${name} n’a pas changé\u00a0: déjà envoyé.` })
    return none
  }
  await log.add({ text: `${name} envoyé.`, milliseconds: since(from), bytes })
  return { files: 1, bytes }
}

/** In the name of whoever saved it last, or planned it, as they stand now: a right taken away meanwhile is gone here too. */
async function deliverAll(trip: Trip, signal?: AbortSignal): Promise<Sent> {
  const { deps, row, log } = trip
  const sum = { files: 0, bytes: 0 }
  const chosen = row.shipments.flatMap((id) => shipmentOf(id) ?? [])
  const own = chosen.map((shipment) => ({ shipment, asker: keeperOf(row) }))
  const all = [...own, ...(await plannedShipments(deps, row))]
  if (all.length === 0) await log.add({ text: 'Rien à envoyer\u00a0: aucun contenu n’est choisi.' })
  for (const { shipment, asker } of all) {
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
  if (connector.can.includes('fetch')) return fetchWeather(deps, row, opened.settings, log)
  return connector.can.includes('deliver') ? deliverAll(trip, signal) : { files: 0, bytes: 0 }
}

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
    const opened = await admit(deps, row, connector)
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

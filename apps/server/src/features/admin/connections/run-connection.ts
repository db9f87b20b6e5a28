import type { Schedule } from '@voisol/contract/connections'
import { and, eq, sql } from 'drizzle-orm'
import {
  type ConnectionRunLog,
  failConnectionRun,
  finishConnectionRun,
  startConnectionRun,
} from '../../../core/connection-runs.ts'
import { connections, weatherRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { authorizeJob, findJobRefusal } from '../../../http/job-actor.ts'
import type { Connector, OpenedConnection } from '../../../integrations/connections/connector.ts'
import {
  ConnectionFault,
  type ConnectorSettings,
  toConnectionFault,
} from '../../../integrations/connections/connector.ts'
import { findConnectorOfKind } from '../../../integrations/connections/connectors.ts'
import { fetchWeatherForecast } from '../../../integrations/connections/weather.ts'
import { getToday } from '../../../today.ts'
import { type ConnectionRow, getNextConnectionRun, toConnectorTools } from './connection-settings.ts'
import {
  deliverOnce,
  getConnectionRequester,
  openAuthorizedConnection,
  toDeliveryFault,
  withDraftFolder,
} from './deliver-file.ts'
import type { PackResult } from './ship-books.ts'
import { findShipment, listPlannedShipments } from './shipments.ts'

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

const SLOT_MS = 6 * 3_600_000

/** Consecutive places without an answer after which the run stops until the next attempt. */
const MAX_FAILURES_IN_A_ROW = 3

/** A forecast is fetched once per six hours: the slot that a moment belongs to. */
const getForecastSlot = (now: Date) => new Date(Math.floor(now.getTime() / SLOT_MS) * SLOT_MS)

type Place = { latitude: number; longitude: number }

/** Places of the operations, in tenths of a degree, that have no forecast of this slot yet. */
async function listPlacesWithoutForecast({ db }: Deps, companyId: number, issuedAt: Date): Promise<Place[]> {
  const { rows } = await db.execute<Place>(sql`
    select distinct round(o.latitude * 10)::int as latitude, round(o.longitude * 10)::int as longitude
      from operations o
     where o.company_id = ${companyId} and o.latitude is not null and o.longitude is not null
       and not exists (select from weather_runs w where w.company_id = o.company_id
             and w.latitude = round(o.latitude * 10)::int and w.longitude = round(o.longitude * 10)::int
             and w.issued_at = ${issuedAt.toISOString()})
     order by 1, 2`)
  return rows
}

const formatPlace = ({ latitude, longitude }: Place) => `${latitude / 10}°, ${longitude / 10}°`.replaceAll('.', ',')

/** Every forecast is stored with its time of issue, so that later analyses know what was forecast when. */
async function fetchWeather(
  deps: Deps,
  { companyId }: ConnectionRow,
  settings: ConnectorSettings,
  log: ConnectionRunLog,
) {
  const issuedAt = getForecastSlot(new Date())
  const places = await listPlacesWithoutForecast(deps, companyId, issuedAt)
  if (places.length === 0) await log.add({ text: 'Rien à demander\u00a0: chaque lieu a déjà sa prévision.' })
  const sum = { files: 0, bytes: 0 }
  let lastFault: ConnectionFault | undefined
  let failures = 0
  for (const place of places) {
    const from = performance.now()
    const degrees = { latitude: place.latitude / 10, longitude: place.longitude / 10 }
    try {
      const { hours, values } = await fetchWeatherForecast(toConnectorTools(deps), settings, degrees)
      const bytes = JSON.stringify(values).length
      await deps.db
        .insert(weatherRuns)
        .values({ companyId, ...place, issuedAt, values })
        .onConflictDoNothing()
      const milliseconds = Math.round(performance.now() - from)
      await log.add({ text: `${formatPlace(place)}\u00a0: ${hours} heures reçues.`, milliseconds, bytes })
      sum.files++
      sum.bytes += bytes
      failures = 0
    } catch (error) {
      lastFault = toConnectionFault(error)
      await log.add({
        text: `${formatPlace(place)}\u00a0: ${lastFault.message}`,
        milliseconds: Math.round(performance.now() - from),
      })
      failures++
      if (lastFault.hopeless || failures >= MAX_FAILURES_IN_A_ROW) throw lastFault
    }
  }
  if (lastFault) throw new ConnectionFault(`Un lieu au moins est resté sans prévision. ${lastFault.message}`)
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

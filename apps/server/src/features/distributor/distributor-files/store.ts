import { recordEvent } from '../../../core/events.ts'
import type { PointDayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import type { ParsedSeries } from '../../../formats/types.ts'
import type { Secrets } from '../../../secrets.ts'
import {
  addReceivedSummary,
  createReceivedSummary,
  enqueueRefreshOfMonths,
  type ReceivedSummary,
  recordCurvesReceived,
  storeReadings,
} from '../../energy/curves/curves.ts'
import { type NewQuantities, recordNewQuantities } from '../reconciliation/reconciliation.ts'
import { type Departure, storeContractEvents } from './events.ts'
import type { ParsedContractEvent, ParsedQuantities } from './found.ts'
import { storeParsedIndexes } from './indexes.ts'
import type { KnownPoints } from './known-points.ts'
import { storeParsedQuantities } from './quantities.ts'
import type { FileBatch } from './read-task.ts'

export type FileCounts = Record<
  'readings' | 'newDays' | 'changedDays' | 'sameDays' | 'quantities' | 'events' | 'indexes' | 'unknownPoints',
  number
>
export type StoreFileInput = {
  secrets: Secrets
  companyId: number
  fileId: string
  known: KnownPoints
  receivedAt: Date
}

/** Stores the content of a file within the caller's transaction. */
export function createFileContentWriter(tx: Db, writing: StoreFileInput) {
  const { companyId, fileId, known, receivedAt } = writing
  const counts: FileCounts = {
    readings: 0,
    newDays: 0,
    changedDays: 0,
    sameDays: 0,
    quantities: 0,
    events: 0,
    indexes: 0,
    unknownPoints: known.unknown,
  }
  const received = createReceivedSummary()
  const departures: Departure[] = []
  const newQuantities: NewQuantities[] = []
  const days = async (series: ParsedSeries[]) => {
    const rows = series.flatMap((one) => toDayRows(one, known))
    for (const { watts } of rows) for (const value of watts) if (value >= 0) counts.readings++
    addReceivedSummary(received, await storeReadings(tx, companyId, rows, { source: 'enedis', receivedAt }))
    counts.newDays = received.inserted
    counts.changedDays = received.changed
    counts.sameDays = received.same
  }
  const events = async (found: ParsedContractEvent[]) => {
    const stored = await storeContractEvents(tx, writing, found)
    counts.events += stored.count
    departures.push(...stored.departures)
  }
  const quantities = async (found: ParsedQuantities[]) => {
    const stored = await storeParsedQuantities(tx, writing, found)
    counts.quantities += stored.count
    newQuantities.push(...stored.news)
  }
  return {
    counts,
    async take(batch: FileBatch): Promise<void> {
      if ('days' in batch) await days(batch.days)
      else if ('indexes' in batch) counts.indexes += await storeParsedIndexes(tx, writing, batch.indexes)
      else if ('quantities' in batch) await quantities(batch.quantities)
      else await events(batch.events)
    },
    /** After everything is stored: invalidates the affected allocation runs and records events. */
    async end(): Promise<void> {
      await enqueueRefreshOfMonths(tx, companyId, received.touched, fileId)
      await recordFileEvents(tx, writing, received, { departures, quantities: newQuantities })
    },
  }
}

type FileFindings = { departures: Departure[]; quantities: NewQuantities[] }
async function recordFileEvents(
  tx: Db,
  { companyId, fileId, secrets }: StoreFileInput,
  received: ReceivedSummary,
  findings: FileFindings,
) {
  const by = { job: 'files.decode', secrets }
  await recordCurvesReceived(tx, companyId, received, { source: 'file', ref: fileId, by })
  await recordNewQuantities(tx, companyId, findings.quantities, by)
  for (const data of findings.departures) {
    const once = `${data.operationId} ${data.pointId} ${data.event} ${data.on}`
    await recordEvent(tx, { companyId, name: 'departure.announced', object: data.pointId, data, by, once })
  }
}

function toDayRows({ prm, direction, days }: ParsedSeries, known: KnownPoints): PointDayReadings[] {
  const pointId = known.find(prm, direction)
  if (!pointId) return []
  return days.map(({ day, step, watts, quality }) => ({ pointId, day, step, watts, marks: quality, quality: 1 }))
}

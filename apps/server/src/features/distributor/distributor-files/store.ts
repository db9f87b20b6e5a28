import { record } from '../../../core/events.ts'
import type { DayRow } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import type { ParsedSeries } from '../../../formats/types.ts'
import type { Secrets } from '../../../secrets.ts'
import {
  addReceived,
  askRefresh,
  nothingReceived,
  type Received,
  tellReceived,
  writeReadings,
} from '../../energy/curves/curves.ts'
import { type QuantityNews, tellQuantities } from '../reconciliation/reconciliation.ts'
import { type Departure, storeEvents } from './events.ts'
import type { FoundEvent, FoundQuantities } from './found.ts'
import { storeIndexes } from './indexes.ts'
import type { KnownPoints } from './known-points.ts'
import { storeQuantities } from './quantities.ts'
import type { Batch } from './read-task.ts'

export type Counts = Record<
  'readings' | 'newDays' | 'changedDays' | 'sameDays' | 'quantities' | 'events' | 'indexes' | 'unknownPoints',
  number
>
export type Writing = {
  secrets: Secrets
  companyId: number
  fileId: string
  known: KnownPoints
  receivedAt: Date
}

/** Stores what a file gives, within the caller's transaction. */
export function createStore(tx: Db, writing: Writing) {
  const { companyId, fileId, known, receivedAt } = writing
  const counts: Counts = {
    readings: 0,
    newDays: 0,
    changedDays: 0,
    sameDays: 0,
    quantities: 0,
    events: 0,
    indexes: 0,
    unknownPoints: known.unknown,
  }
  const received = nothingReceived()
  const departures: Departure[] = []
  const told: QuantityNews[] = []
  const days = async (series: ParsedSeries[]) => {
    const rows = series.flatMap((one) => rowsOf(one, known))
    for (const { watts } of rows) for (const value of watts) if (value >= 0) counts.readings++
    addReceived(received, await writeReadings(tx, companyId, rows, { source: 'enedis', receivedAt }))
    counts.newDays = received.inserted
    counts.changedDays = received.changed
    counts.sameDays = received.same
  }
  const events = async (found: FoundEvent[]) => {
    const stored = await storeEvents(tx, writing, found)
    counts.events += stored.count
    departures.push(...stored.departures)
  }
  const quantities = async (found: FoundQuantities[]) => {
    const stored = await storeQuantities(tx, writing, found)
    counts.quantities += stored.count
    told.push(...stored.news)
  }
  return {
    counts,
    async take(batch: Batch): Promise<void> {
      if ('days' in batch) await days(batch.days)
      else if ('indexes' in batch) counts.indexes += await storeIndexes(tx, writing, batch.indexes)
      else if ('quantities' in batch) await quantities(batch.quantities)
      else await events(batch.events)
    },
    /** Once all is stored: what is to be computed afresh, and what happened. */
    async end(): Promise<void> {
      await askRefresh(tx, companyId, received.touched, fileId)
      await tellFile(tx, writing, received, { departures, quantities: told })
    },
  }
}

type Told = { departures: Departure[]; quantities: QuantityNews[] }
async function tellFile(tx: Db, { companyId, fileId, secrets }: Writing, received: Received, told: Told) {
  const by = { job: 'files.decode', secrets }
  await tellReceived(tx, companyId, received, { source: 'file', ref: fileId, by })
  await tellQuantities(tx, companyId, told.quantities, by)
  for (const data of told.departures) {
    const once = `${data.operationId} ${data.pointId} ${data.event} ${data.on}`
    await record(tx, { companyId, name: 'departure.announced', object: data.pointId, data, by, once })
  }
}

function rowsOf({ prm, direction, days }: ParsedSeries, known: KnownPoints): DayRow[] {
  const pointId = known.find(prm, direction)
  if (!pointId) return []
  return days.map(({ day, step, watts, quality }) => ({ pointId, day, step, watts, marks: quality, quality: 1 }))
}

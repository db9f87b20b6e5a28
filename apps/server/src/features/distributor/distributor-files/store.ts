import type { DayRow } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { ParsedSeries } from '../../../formats/types.ts'
import { askRefresh, type PointMonth, storeDays } from '../../energy/curves/curves.ts'
import { storeEvents } from './events.ts'
import { storeIndexes } from './indexes.ts'
import type { KnownPoints } from './known-points.ts'
import { storeQuantities } from './quantities.ts'
import type { Batch } from './read-task.ts'

export type Counts = Record<
  'readings' | 'newDays' | 'changedDays' | 'sameDays' | 'quantities' | 'events' | 'indexes' | 'unknownPoints',
  number
>
export type Writing = {
  deps: Pick<Deps, 'secrets' | 'config'>
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
  const touched = new Map<string, PointMonth>()
  const days = async (series: ParsedSeries[]) => {
    const rows = series.flatMap((one) => rowsOf(one, known))
    for (const { watts } of rows) for (const value of watts) if (value >= 0) counts.readings++
    const stored = await storeDays(tx, companyId, rows, { source: 'enedis', receivedAt })
    counts.newDays += stored.inserted
    counts.changedDays += stored.changed
    counts.sameDays += stored.same
    for (const month of stored.touched) touched.set(month.pointId + month.month, month)
  }
  return {
    counts,
    async take(batch: Batch): Promise<void> {
      if ('days' in batch) await days(batch.days)
      else if ('indexes' in batch) counts.indexes += await storeIndexes(tx, writing, batch.indexes)
      else if ('quantities' in batch) counts.quantities += await storeQuantities(tx, writing, batch.quantities)
      else counts.events += await storeEvents(tx, writing, batch.events)
    },
    end: () => askRefresh(tx, companyId, [...touched.values()], fileId),
  }
}

function rowsOf({ prm, direction, days }: ParsedSeries, known: KnownPoints): DayRow[] {
  const pointId = known.find(prm, direction)
  if (!pointId) return []
  return days.map(({ day, step, watts, quality }) => ({ pointId, day, step, watts, marks: quality, quality: 1 }))
}

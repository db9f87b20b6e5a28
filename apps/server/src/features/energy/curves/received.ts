import type { EventData } from '@voisol/contract/events'
import { addDays } from '@voisol/energy/calendar'
import { type RecordEventInput, recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import type { PointMonth } from './months.ts'
import { listOperationsOfPoints } from './refresh.ts'

export type ReceivedReadings = EventData<'curves.received'>['readings']
/** The first and last day of a month with new data for a point. */
export type TouchedMonthRange = PointMonth & { first: string; last: string }

/** Groups days with new data by month, with all points of the month together. */
export function groupReceivedReadings(spans: TouchedMonthRange[]): ReceivedReadings {
  const found = new Map<string, ReceivedReadings[number]>()
  for (const [, group] of Map.groupBy(spans, ({ month }) => month)) {
    const pointIds = group.map(({ pointId }) => pointId).sort()
    const from = group.map(({ first }) => first).reduce((a, b) => (a < b ? a : b))
    const last = group.map((span) => span.last).reduce((a, b) => (a > b ? a : b))
    const key = pointIds.join()
    const same = found.get(key) ?? { pointIds, days: [] }
    same.days.push({ from, to: addDays(last, 1) })
    found.set(key, same)
  }
  return [...found.values()]
}

/** What was written, by one batch or by several recorded in one event. */
export type ReceivedSummary = Pick<EventData<'curves.received'>, 'inserted' | 'changed' | 'same' | 'readings'> & {
  touched: PointMonth[]
}
export const createReceivedSummary = (): ReceivedSummary => ({
  inserted: 0,
  changed: 0,
  same: 0,
  touched: [],
  readings: [],
})

export function addReceivedSummary(sum: ReceivedSummary, more: ReceivedSummary): void {
  sum.inserted += more.inserted
  sum.changed += more.changed
  sum.same += more.same
  sum.touched.push(...more.touched)
  sum.readings.push(...more.readings)
}

type ReceivedOrigin = Pick<EventData<'curves.received'>, 'source' | 'ref'> & Pick<RecordEventInput, 'by'>

/** Records the event only when something is new. */
export async function recordCurvesReceived(
  tx: Db,
  companyId: number,
  received: ReceivedSummary,
  { by, ...way }: ReceivedOrigin,
): Promise<void> {
  const { touched, ...facts } = received
  const object = way.ref ?? facts.readings[0]?.pointIds[0]
  if (!object || !touched.length) return
  const operations = await listOperationsOfPoints(tx, companyId, touched)
  await recordEvent(tx, {
    companyId,
    name: 'curves.received',
    object,
    data: { ...way, ...facts, operations },
    ...(by && { by }),
  })
}

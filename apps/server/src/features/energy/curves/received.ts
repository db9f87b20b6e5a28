import type { EventData } from '@voisol/contract/events'
import { addDays } from '@voisol/energy/calendar'
import { type Happening, record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import type { PointMonth } from './months.ts'
import { operationsOf } from './refresh.ts'

export type Readings = EventData<'curves.received'>['readings']
/** The days of a month that a point has something new for: the first and the last. */
export type Span = PointMonth & { first: string; last: string }

/** Month by month the days with news; months in which the same points have some stand together. */
export function readingsOf(spans: Span[]): Readings {
  const found = new Map<string, Readings[number]>()
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

/** What was written, of one lot or of several that are told together. */
export type Received = Pick<EventData<'curves.received'>, 'inserted' | 'changed' | 'same' | 'readings'> & {
  touched: PointMonth[]
}
export const nothingReceived = (): Received => ({ inserted: 0, changed: 0, same: 0, touched: [], readings: [] })

export function addReceived(sum: Received, more: Received): void {
  sum.inserted += more.inserted
  sum.changed += more.changed
  sum.same += more.same
  sum.touched.push(...more.touched)
  sum.readings.push(...more.readings)
}

type Way = Pick<EventData<'curves.received'>, 'source' | 'ref'> & Pick<Happening, 'by'>

/** Curves that say nothing new are not told again. */
export async function tellReceived(tx: Db, companyId: number, received: Received, { by, ...way }: Way): Promise<void> {
  const { touched, ...facts } = received
  const object = way.ref ?? facts.readings[0]?.pointIds[0]
  if (!object || !touched.length) return
  const operations = await operationsOf(tx, companyId, touched)
  await record(tx, {
    companyId,
    name: 'curves.received',
    object,
    data: { ...way, ...facts, operations },
    ...(by && { by }),
  })
}

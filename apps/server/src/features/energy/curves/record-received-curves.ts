import type { EventData } from '@voisol/contract/events'
import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type RecordEventInput, recordEvent } from '../../../events/events.ts'
import { enqueue } from '../../../jobs/queue.ts'

type ReceivedReadings = EventData<'curves.received'>['readings']
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

type OperationMonth = { operationId: string; month: string }

async function listConcernedMonths(tx: Db, companyId: number, touched: PointMonth[]): Promise<OperationMonth[]> {
  if (!touched.length) return []
  const { rows } = await tx.execute<OperationMonth>(sql`
    select distinct p.operation_id as "operationId", t.month::text as month
    from unnest(${sql.param(touched.map(({ pointId }) => pointId))}::uuid[],
      ${sql.param(touched.map(({ month }) => month))}::date[]) t(point_id, month)
    join participations p on p.company_id = ${companyId} and p.point_id = t.point_id
      and p.starts_on < t.month + interval '1 month' and (p.ends_on is null or p.ends_on > t.month)
    order by 1, 2`)
  return rows
}

const distinctOperationIds = (rows: OperationMonth[]) => [...new Set(rows.map(({ operationId }) => operationId))]

/** The operations where the points take part in these months. */
const listOperationsOfPoints = async (tx: Db, companyId: number, touched: PointMonth[]): Promise<string[]> =>
  distinctOperationIds(await listConcernedMonths(tx, companyId, touched))

/** Enqueues provisional runs of the changed months, and returns their operations. */
export async function enqueueRefreshOfMonths(
  tx: Db,
  companyId: number,
  touched: PointMonth[],
  lot: string,
): Promise<string[]> {
  const rows = await listConcernedMonths(tx, companyId, touched)
  // A refresh already running may have read too early, so each batch enqueues its own.
  for (const { operationId, month } of rows)
    await enqueue(
      tx,
      'allocations.refresh',
      { companyId, operationId, month },
      { once: `${lot} ${operationId} ${month}` },
    )
  return distinctOperationIds(rows)
}

export type PointMonth = { pointId: string; month: string }

/** Letter of a day: m without reading, p partial, d with doubtful values, e with estimates, c corrected, r raw. */
const dayLetterSql = sql`case when present = 0 then 'm' when present < expected then 'p' when quality = 4 then 'd'
  when quality = 3 then 'e' when quality = 2 then 'c' else 'r' end`

/** Recomputes the months from their current days: sums are never updated by differences. */
export async function recomputeCurveMonths(tx: Db, companyId: number, months: PointMonth[]): Promise<void> {
  if (!months.length) return
  await tx.execute(sql`
    insert into curve_months (company_id, point_id, month, days, present, expected, energy, peak, mask, letters, received_at)
    select ${companyId}, t.point_id, t.month, s.days, s.present, s.expected, s.energy, s.peak, coalesce(s.mask, 0), coalesce(s.letters, ''), s.received_at
    from unnest(${sql.param(months.map(({ pointId }) => pointId))}::uuid[],
      ${sql.param(months.map(({ month }) => month))}::date[]) t(point_id, month)
    cross join lateral (
      select count(*) as days, sum(present) as present, sum(expected) as expected, sum(energy) as energy,
        max(peak) as peak, bit_or(1 << (extract(day from day)::int - 1)) as mask,
        string_agg(${dayLetterSql}, '' order by day) as letters, max(received_at) as received_at
      from curve_days d
      where d.company_id = ${companyId} and d.point_id = t.point_id and d.day >= t.month
        and d.day < (t.month + interval '1 month')::date and d.superseded_at is null) s
    on conflict (company_id, point_id, month) do update set days = excluded.days, present = excluded.present,
      expected = excluded.expected, energy = excluded.energy, peak = excluded.peak, mask = excluded.mask,
      letters = excluded.letters, received_at = excluded.received_at`)
}

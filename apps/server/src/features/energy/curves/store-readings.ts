import { sql } from 'drizzle-orm'
import type { PointDayReadings } from '../../../core/readings.ts'
import { markRollupsStale } from '../../../core/stale-rollups.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import { type NewCurveDay, type ReadingSource, writeCurveDays } from './curve-day-writer.ts'
import { type PlannedDay, planCurveDays } from './merge-curve-days.ts'
import {
  createReceivedSummary,
  groupReceivedReadings,
  type ReceivedSummary,
  recomputeCurveMonths,
  recordCurvesReceived,
  type TouchedMonthRange,
} from './record-received-curves.ts'

type StoreReadingsOptions = {
  source: ReadingSource
  importId?: string
  receivedAt: Date
  /** Called with the days done and the total. */
  progress?: (done: number, all: number) => Promise<void>
}
/**
 * Writes any number of days and records the event: a new version when data changed, with the month's sums and outdated
 * marks of dependent runs, in one transaction.
 */
export const storeReadingsAndNotify = (
  db: Db,
  companyId: number,
  rows: PointDayReadings[],
  meta: StoreReadingsOptions,
): Promise<ReceivedSummary> =>
  transaction(db, async (tx) => {
    const stored = await storeReadings(tx, companyId, rows, meta)
    await recordCurvesReceived(tx, companyId, stored, { source: 'other', ref: null })
    return stored
  })

/**
 * The same for a caller that records its own event once all is written. Concurrent writers of a point run one after the
 * other.
 */
export const storeReadings = (
  db: Db,
  companyId: number,
  rows: PointDayReadings[],
  meta: StoreReadingsOptions,
): Promise<ReceivedSummary> =>
  transaction(db, async (tx) => {
    await lockReadingPoints(tx, companyId, [...new Set(rows.map(({ pointId }) => pointId))])
    const stored = createReceivedSummary()
    const written = new Map<string, TouchedMonthRange>()
    let done = 0
    for await (const days of planCurveDays(tx, companyId, rows)) {
      const news = days.filter(isNewVersion)
      await supersedeVersions(tx, companyId, news, meta.receivedAt)
      await writeCurveDays(tx, news.map(toNewCurveDay(meta.receivedAt)), { companyId, ...meta })
      for (const day of news) addTouchedDay(written, day)
      const changed = news.filter(({ current }) => current).length
      stored.changed += changed
      stored.inserted += news.length - changed
      stored.same += days.length - news.length
      done += days.length
      await meta.progress?.(done, rows.length)
    }
    stored.touched = [...written.values()].map(({ pointId, month }) => ({ pointId, month }))
    await recomputeCurveMonths(tx, companyId, stored.touched)
    stored.readings = groupReceivedReadings([...written.values()])
    const touched = stored.readings.flatMap(({ pointIds, days }) => days.map((span) => ({ pointIds, ...span })))
    await markRollupsStale(tx, companyId, touched)
    return stored
  })

type NewCurveVersion = PlannedDay & { next: NonNullable<PlannedDay['next']> }
const isNewVersion = (day: PlannedDay): day is NewCurveVersion => day.next !== null

async function lockReadingPoints(tx: Db, companyId: number, ids: string[]): Promise<void> {
  const found = await tx
    .select({ id: points.id })
    .from(points)
    .where(sql`${points.companyId} = ${companyId} and ${points.id} = any(${sql.param(ids)}::uuid[])`)
    .orderBy(points.id)
    .for('no key update')
  if (found.length !== ids.length) throw new Error('readings of a point that the company does not have')
}

// Versions stay in order even when the clock goes back.
const getReceivedAt = ({ current }: PlannedDay, receivedAt: Date) =>
  current && current.receivedAt > receivedAt ? current.receivedAt : receivedAt

const toNewCurveDay =
  (receivedAt: Date) =>
  (day: NewCurveVersion): NewCurveDay => ({
    ...day.next,
    pointId: day.row.pointId,
    day: day.row.day,
    version: (day.current?.version ?? 0) + 1,
    receivedAt: getReceivedAt(day, receivedAt),
  })

async function supersedeVersions(tx: Db, companyId: number, news: NewCurveVersion[], receivedAt: Date): Promise<void> {
  const old = news.filter(({ current }) => current)
  if (!old.length) return
  await tx.execute(sql`
    update curve_days d set superseded_at = o.at
    from unnest(${sql.param(old.map(({ row }) => row.pointId))}::uuid[], ${sql.param(old.map(({ row }) => row.day))}::date[],
      ${sql.param(old.map(({ current }) => current?.version))}::int[],
      ${sql.param(old.map((day) => getReceivedAt(day, receivedAt).toISOString()))}::timestamptz[]) o(point_id, day, version, at)
    where d.company_id = ${companyId} and d.point_id = o.point_id and d.day = o.day and d.version = o.version`)
}

function addTouchedDay(spans: Map<string, TouchedMonthRange>, { row: { pointId, day } }: PlannedDay): void {
  const month = `${day.slice(0, 7)}-01`
  const key = pointId + month
  const span = spans.get(key)
  if (!span) spans.set(key, { pointId, month, first: day, last: day })
  else if (day < span.first) span.first = day
  else if (day > span.last) span.last = day
}

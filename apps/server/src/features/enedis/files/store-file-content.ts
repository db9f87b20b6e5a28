import type { ParsedSeries } from '@voisol/file-formats/curve-file-types'
import { sql } from 'drizzle-orm'
import type { PointDayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import {
  addReceivedSummary,
  createReceivedSummary,
  enqueueRefreshOfMonths,
  type ReceivedSummary,
  recordCurvesReceived,
  storeReadings,
} from '../../energy/curves/index.ts'
import { type NewQuantities, recordNewQuantities, storeDefinitiveQuantities } from '../reconciliation/index.ts'
import { type Departure, type KnownPoints, type StoreFileInput, storeContractEvents } from './contract-events.ts'
import {
  type ParsedContractEvent,
  type ParsedIndex,
  type ParsedQuantities,
  type PointReference,
  UNKNOWN_DIRECTION,
} from './parsed-content.ts'
import type { FileBatch } from './read-task.ts'

type FileCounts = Record<
  'readings' | 'newDays' | 'changedDays' | 'sameDays' | 'quantities' | 'events' | 'indexes' | 'unknownPoints',
  number
>

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

type IndexRow = ParsedIndex & { pointId: string }

const toSqlArray = (rows: IndexRow[], name: keyof IndexRow, type: string) =>
  sql`${sql.param(rows.map((row) => row[name]))}::${sql.raw(type)}[]`

/**
 * Stores indexes over known ones and deletes withdrawn ones. Returns the number of indexes of known points in the file.
 */
async function storeParsedIndexes(tx: Db, { companyId, known, receivedAt }: StoreFileInput, found: ParsedIndex[]) {
  const rows = new Map<string, IndexRow>()
  for (const index of found) {
    const pointId = known.find(index.prm, index.direction)
    if (pointId)
      rows.set([pointId, index.day, index.calendar, index.name, index.source].join('\u0000'), { ...index, pointId })
  }
  const all = [...rows.values()]
  const g = sql`unnest(${toSqlArray(all, 'pointId', 'uuid')}, ${toSqlArray(all, 'day', 'date')}, ${toSqlArray(all, 'calendar', 'text')},
    ${toSqlArray(all, 'name', 'text')}, ${toSqlArray(all, 'wh', 'bigint')}, ${toSqlArray(all, 'source', 'text')})
    g(point_id, day, calendar, name, wh, source)`
  await tx.execute(sql`
    delete from distributor_indexes d using ${g}
     where d.company_id = ${companyId} and d.point_id = g.point_id and d.day = g.day and d.calendar = g.calendar
       and d.name = g.name and d.source = g.source and g.wh is null`)
  await tx.execute(sql`
    insert into distributor_indexes as d (company_id, point_id, day, calendar, name, wh, source, received_at)
    select ${companyId}::int, g.point_id, g.day, g.calendar, g.name, g.wh, g.source, ${receivedAt.toISOString()}::timestamptz
      from ${g} where g.wh is not null
    on conflict (company_id, point_id, day, calendar, name, source) do update
      set wh = excluded.wh, received_at = excluded.received_at where d.wh <> excluded.wh`)
  return all.length
}

type QuantityPeriod = { companyId: number; pointId: string; from: string; to: string; at: Date }

/** Stores or withdraws quantities; returns how many concern known points and which are new. */
async function storeParsedQuantities(
  tx: Db,
  { companyId, known, receivedAt }: StoreFileInput,
  found: ParsedQuantities[],
) {
  let count = 0
  const news: NewQuantities[] = []
  for (const { prm, direction, from, to, quantities, writtenAt } of found) {
    const pointId = known.find(prm, direction)
    if (!pointId) continue
    const period = { companyId, pointId, from, to, at: writtenAt ?? receivedAt }
    if (quantities.length === 0) await withdrawQuantities(tx, period)
    else if (!(await isWithdrawn(tx, period))) {
      const operationId = await findOperationOfPeriod(tx, period)
      const { written } = await storeDefinitiveQuantities(tx, {
        companyId,
        operationId,
        pointId,
        from,
        to,
        source: 'R15',
        quantities,
        receivedAt: period.at,
      })
      if (operationId && written > 0) news.push({ operationId, pointId, from, to })
    }
    count += quantities.length
  }
  return { count, news }
}

const whereSamePeriod = ({ companyId, pointId, from, to }: QuantityPeriod) =>
  sql`company_id = ${companyId} and point_id = ${pointId} and from_day = ${from}::date and to_day = ${to}::date and source = 'R15'`

const withdrawQuantities = (tx: Db, period: QuantityPeriod) =>
  tx.execute(sql`
    update distributor_quantities set superseded_at = ${period.at.toISOString()}::timestamptz
     where ${whereSamePeriod(period)} and superseded_at is null and received_at <= ${period.at.toISOString()}::timestamptz`)

/** An old file does not restore a reading that was replaced or withdrawn after it was written. */
async function isWithdrawn(tx: Db, period: QuantityPeriod): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from distributor_quantities
     where ${whereSamePeriod(period)} and superseded_at > ${period.at.toISOString()}::timestamptz limit 1`)
  return rows.length > 0
}

/** The operation that the point belonged to for most of the period. */
async function findOperationOfPeriod(tx: Db, { companyId, pointId, from, to }: QuantityPeriod): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select operation_id as id from participations
     where company_id = ${companyId} and point_id = ${pointId} and starts_on < ${to}::date
       and (ends_on is null or ends_on > ${from}::date)
     order by least(coalesce(ends_on, ${to}::date), ${to}::date) - greatest(starts_on, ${from}::date) desc, id limit 1`)
  return rows[0]?.id ?? null
}

type Point = { id: string; prm: string; direction: string }

export async function loadKnownPoints(db: Db, companyId: number, named: PointReference[]): Promise<KnownPoints> {
  const asked = [...new Set(named.map(({ prm }) => prm))]
  const rows: Point[] = await db
    .select({ id: points.id, prm: points.prm, direction: points.direction })
    .from(points)
    .where(sql`${points.companyId} = ${companyId} and ${points.prm} = any(${sql.param(asked)}::text[])`)
  const byPrm = Map.groupBy(rows, ({ prm }) => prm)
  const find = (prm: string, direction: string | null) => {
    const known = byPrm.get(prm) ?? []
    const hasDirection = direction !== null && direction !== UNKNOWN_DIRECTION
    return (
      hasDirection ? known.find((point) => point.direction === direction) : known.length === 1 ? known[0] : undefined
    )?.id
  }
  const isKnown = ({ prm, direction }: PointReference) =>
    direction === null ? byPrm.has(prm) : find(prm, direction) !== undefined
  const prms = new Set(named.filter(isKnown).map(({ prm }) => prm))
  return {
    prms: [...prms],
    ids: rows.filter(({ prm }) => prms.has(prm)).map(({ id }) => id),
    unknown: asked.length - prms.size,
    find,
  }
}

/** Locks points in a fixed order, as all writers do, so that files and syncs cannot deadlock. */
export async function lockPoints(tx: Db, companyId: number, ids: string[]): Promise<void> {
  await tx
    .select({ id: points.id })
    .from(points)
    .where(sql`${points.companyId} = ${companyId} and ${points.id} = any(${sql.param(ids)}::uuid[])`)
    .orderBy(points.id)
    .for('no key update')
}

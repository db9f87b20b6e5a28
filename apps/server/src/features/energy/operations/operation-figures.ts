import type { Operation } from '@voisol/contract/operations'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { type SQL, sql } from 'drizzle-orm'
import { consumesSql, producesSql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'

type OperationSizes = { participants: number; plantWatts: number }
type OperationSides = { consumers: number; producers: number }
type ReceivedReadings = { completeness: number | null; receivedUntil: string | null }
export type OperationListFigures = OperationSizes & OperationSides & ReceivedReadings & { method: Operation['method'] }

const COMPLETENESS_DAYS = 30
const NO_FIGURES: OperationListFigures = {
  participants: 0,
  consumers: 0,
  producers: 0,
  plantWatts: 0,
  completeness: null,
  receivedUntil: null,
  method: null,
}

type FiguresQuery = { db: Db; companyId: number; ids: string[]; day: string }

type OperationCounts = OperationSizes & Pick<OperationListFigures, 'method'>

/** Members and method of operations, without reading any curve. */
export async function loadOperationCounts(
  db: Db,
  companyId: number,
  ids: string[],
): Promise<(id: string) => OperationCounts> {
  if (!ids.length) return () => NO_FIGURES
  const of = { db, companyId, ids, day: getToday() }
  const sizes = await loadSizes(of)
  const methods = await loadMethods(of)
  return (id) => ({ ...NO_FIGURES, ...sizes.get(id), method: methods.get(id) ?? null })
}

/** Figures of operations, in a fixed number of statements whatever their number. */
export async function loadOperationFigures(
  db: Db,
  companyId: number,
  ids: string[],
): Promise<(id: string) => OperationListFigures> {
  if (!ids.length) return () => NO_FIGURES
  const of = { db, companyId, ids, day: getToday() }
  const counted = await loadOperationCounts(db, companyId, ids)
  const sides = await loadSides(of)
  const received = await loadReceivedReadings(of)
  return (id) => ({ ...NO_FIGURES, ...counted(id), ...sides.get(id), ...received.get(id) })
}

const toUuidArray = (ids: string[]): SQL => sql`${sql.param(ids)}::uuid[]`
const indexById = <T>(rows: ({ id: string } & T)[]) => new Map(rows.map(({ id, ...rest }) => [id, rest]))

/** Current and future participations. */
const currentParticipations = ({ companyId, ids, day }: FiguresQuery): SQL => sql`
  p.company_id = ${companyId} and p.operation_id = any(${toUuidArray(ids)}) and (p.ends_on is null or p.ends_on > ${day}::date)`

/** A plant counts once when its holder is about to change. */
async function loadSizes(of: FiguresQuery) {
  const { rows } = await of.db.execute<{ id: string } & OperationSizes>(sql`
    select n.id, n.participants, coalesce(w.watts, 0)::float8 as "plantWatts"
      from (select p.operation_id as id, count(distinct p.participant_id)::int as participants
              from participations p where ${currentParticipations(of)} group by 1) n
      left join (
        select id, sum(peak_watts) as watts
          from (select distinct p.operation_id as id, p.point_id, d.peak_watts
                  from participations p join points d on d.company_id = p.company_id and d.id = p.point_id
                 where ${currentParticipations(of)} and ${producesSql(sql`d`)}) x
         group by id) w using (id)`)
  return indexById(rows)
}

async function loadSides(of: FiguresQuery) {
  const { rows } = await of.db.execute<{ id: string } & OperationSides>(sql`
    select p.operation_id as id, count(distinct p.participant_id) filter (where ${consumesSql(sql`d`)})::int as consumers,
           count(distinct p.participant_id) filter (where ${producesSql(sql`d`)})::int as producers
      from participations p join points d on d.company_id = p.company_id and d.id = p.point_id
     where ${currentParticipations(of)} group by p.operation_id`)
  return indexById(rows)
}

async function loadMethods({ db, companyId, ids, day }: FiguresQuery) {
  const { rows } = await db.execute<{ id: string; method: Operation['method'] }>(sql`
    select distinct on (operation_id) operation_id as id, method from keys
     where company_id = ${companyId} and operation_id = any(${toUuidArray(ids)}) and status = 'adopted' and starts_on <= ${day}::date
     order by operation_id, starts_on desc, number desc`)
  return new Map(rows.map((row) => [row.id, row.method]))
}

/** Each day of each participation has the same weight, whatever its step; a day without a row has no readings. */
async function loadReceivedReadings(of: FiguresQuery): Promise<Map<string, ReceivedReadings>> {
  const { db, companyId, ids, day } = of
  const from = addDays(day, -COMPLETENESS_DAYS)
  const { rows } = await db.execute<{ id: string; due: number; got: number; last: string | null }>(sql`
    select p.operation_id as id, coalesce(sum(c.got), 0)::float8 as got, max(c.last)::text as last,
           sum(least(coalesce(p.ends_on, ${day}::date), ${day}::date) - greatest(p.starts_on, ${from}::date))::int as due
      from participations p
      left join lateral (
        select sum(d.present::float8 / d.expected) filter (where d.day < ${day}::date) as got,
               max(d.day) filter (where d.present > 0) as last
          from curve_days d
         where d.company_id = ${companyId} and d.point_id = p.point_id and d.superseded_at is null
           and d.day >= greatest(p.starts_on, ${from}::date)
           and d.day < least(coalesce(p.ends_on, 'infinity'), ${day}::date + 1)) c on true
     where p.company_id = ${companyId} and p.operation_id = any(${toUuidArray(ids)})
       and p.starts_on < ${day}::date and (p.ends_on is null or p.ends_on > ${from}::date)
     group by p.operation_id`)
  const known = new Map(rows.map((row) => [row.id, row]))
  const withoutRecentReadings = ids.filter((id) => !known.get(id)?.last)
  const older = withoutRecentReadings.length ? await loadLastDays({ ...of, ids: withoutRecentReadings }) : undefined
  return new Map(
    ids.map((id) => {
      const row = known.get(id)
      const completeness = row?.due ? Math.min(1, row.got / row.due) : null
      return [id, { completeness, receivedUntil: getEndOfDay(row?.last ?? older?.get(id)) }]
    }),
  )
}

/** The last day with readings, for operations without any in the period. */
async function loadLastDays({ db, companyId, ids }: FiguresQuery) {
  const { rows } = await db.execute<{ id: string; last: string }>(sql`
    select p.operation_id as id, max(c.last)::text as last
      from participations p
      cross join lateral (
        select d.day as last from curve_days d
         where d.company_id = ${companyId} and d.point_id = p.point_id and d.superseded_at is null
           and d.day >= p.starts_on and d.day < coalesce(p.ends_on, 'infinity')
         order by d.day desc limit 1) c
     where p.company_id = ${companyId} and p.operation_id = any(${toUuidArray(ids)})
     group by p.operation_id`)
  return new Map(rows.map((row) => [row.id, row.last]))
}

/** The end of the day, or now while it lasts. */
function getEndOfDay(last: string | null | undefined): string | null {
  if (!last) return null
  return new Date(Math.min(dayStart(addDays(last, 1)) * 60_000, Date.now())).toISOString()
}

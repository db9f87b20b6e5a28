import type { Operation } from '@voisol/contract/operations'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { type SQL, sql } from 'drizzle-orm'
import { consumesSql, producesSql } from '../../../core/sides.ts'
import type { Db } from '../../../db/client.ts'
import { today } from '../../../today.ts'

type Sizes = { participants: number; plantWatts: number }
type Sides = { consumers: number; producers: number }
type Received = { completeness: number | null; receivedUntil: string | null }
export type Figures = Sizes & Sides & Received & { method: Operation['method'] }

const WINDOW_DAYS = 30
const NONE: Figures = {
  participants: 0,
  consumers: 0,
  producers: 0,
  plantWatts: 0,
  completeness: null,
  receivedUntil: null,
  method: null,
}

type Of = { db: Db; companyId: number; ids: string[]; day: string }

type Counted = Sizes & Pick<Figures, 'method'>

/** Who takes part, and by which method: no reading is looked at. */
export async function countsOf(db: Db, companyId: number, ids: string[]): Promise<(id: string) => Counted> {
  if (!ids.length) return () => NONE
  const of = { db, companyId, ids, day: today() }
  const sizes = await sizesOf(of)
  const methods = await methodsOf(of)
  return (id) => ({ ...NONE, ...sizes.get(id), method: methods.get(id) ?? null })
}

/** What is counted about operations, in a fixed number of statements however many they are. */
export async function figuresOf(db: Db, companyId: number, ids: string[]): Promise<(id: string) => Figures> {
  if (!ids.length) return () => NONE
  const of = { db, companyId, ids, day: today() }
  const counted = await countsOf(db, companyId, ids)
  const sides = await sidesOf(of)
  const received = await receivedOf(of)
  return (id) => ({ ...NONE, ...counted(id), ...sides.get(id), ...received.get(id) })
}

const uuids = (ids: string[]): SQL => sql`${sql.param(ids)}::uuid[]`
const byId = <T>(rows: ({ id: string } & T)[]) => new Map(rows.map(({ id, ...rest }) => [id, rest]))

/** Those who take part today or will. */
const seats = ({ companyId, ids, day }: Of): SQL => sql`
  p.company_id = ${companyId} and p.operation_id = any(${uuids(ids)}) and (p.ends_on is null or p.ends_on > ${day}::date)`

/** A plant whose holder is about to change counts once. */
async function sizesOf(of: Of) {
  const { rows } = await of.db.execute<{ id: string } & Sizes>(sql`
    select n.id, n.participants, coalesce(w.watts, 0)::float8 as "plantWatts"
      from (select p.operation_id as id, count(distinct p.participant_id)::int as participants
              from participations p where ${seats(of)} group by 1) n
      left join (
        select id, sum(peak_watts) as watts
          from (select distinct p.operation_id as id, p.point_id, d.peak_watts
                  from participations p join points d on d.company_id = p.company_id and d.id = p.point_id
                 where ${seats(of)} and ${producesSql(sql`d`)}) x
         group by id) w using (id)`)
  return byId(rows)
}

async function sidesOf(of: Of) {
  const { rows } = await of.db.execute<{ id: string } & Sides>(sql`
    select p.operation_id as id, count(distinct p.participant_id) filter (where ${consumesSql(sql`d`)})::int as consumers,
           count(distinct p.participant_id) filter (where ${producesSql(sql`d`)})::int as producers
      from participations p join points d on d.company_id = p.company_id and d.id = p.point_id
     where ${seats(of)} group by p.operation_id`)
  return byId(rows)
}

async function methodsOf({ db, companyId, ids, day }: Of) {
  const { rows } = await db.execute<{ id: string; method: Operation['method'] }>(sql`
    select distinct on (operation_id) operation_id as id, method from keys
     where company_id = ${companyId} and operation_id = any(${uuids(ids)}) and status = 'adopted' and starts_on <= ${day}::date
     order by operation_id, starts_on desc, number desc`)
  return new Map(rows.map((row) => [row.id, row.method]))
}

/** Each day of each participation weighs the same, whatever its step; a day without a row is a day without readings. */
async function receivedOf(of: Of): Promise<Map<string, Received>> {
  const { db, companyId, ids, day } = of
  const from = addDays(day, -WINDOW_DAYS)
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
     where p.company_id = ${companyId} and p.operation_id = any(${uuids(ids)})
       and p.starts_on < ${day}::date and (p.ends_on is null or p.ends_on > ${from}::date)
     group by p.operation_id`)
  const known = new Map(rows.map((row) => [row.id, row]))
  const silent = ids.filter((id) => !known.get(id)?.last)
  const older = silent.length ? await lastDaysOf({ ...of, ids: silent }) : undefined
  return new Map(
    ids.map((id) => {
      const row = known.get(id)
      const completeness = row?.due ? Math.min(1, row.got / row.due) : null
      return [id, { completeness, receivedUntil: endOf(row?.last ?? older?.get(id)) }]
    }),
  )
}

/** For those with nothing in the window: the last day they ever had. */
async function lastDaysOf({ db, companyId, ids }: Of) {
  const { rows } = await db.execute<{ id: string; last: string }>(sql`
    select p.operation_id as id, max(c.last)::text as last
      from participations p
      cross join lateral (
        select d.day as last from curve_days d
         where d.company_id = ${companyId} and d.point_id = p.point_id and d.superseded_at is null
           and d.day >= p.starts_on and d.day < coalesce(p.ends_on, 'infinity')
         order by d.day desc limit 1) c
     where p.company_id = ${companyId} and p.operation_id = any(${uuids(ids)})
     group by p.operation_id`)
  return new Map(rows.map((row) => [row.id, row.last]))
}

/** The midnight that closes the day, or now while it lasts. */
function endOf(last: string | null | undefined): string | null {
  if (!last) return null
  return new Date(Math.min(dayStart(addDays(last, 1)) * 60_000, Date.now())).toISOString()
}

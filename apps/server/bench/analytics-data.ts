import { addDays, addMonths, dayStart, listDays, minutesOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { type Db, openDatabase } from '../src/db/client.ts'
import { companies } from '../src/db/schema/index.ts'
import { createEnergyColumns } from '../src/features/analytics/energy/energy-columns.ts'
import { packParticipationSums, toPackedKey } from '../src/features/analytics/energy/participation-rollups.ts'
import { writeStepRollups } from '../src/features/analytics/energy/rollup-write.ts'
import { packSteps, writeHourRollups } from '../src/features/analytics/energy/step-rollups.ts'
import { signedIn } from './bench-session.ts'
import { pickSize } from './measure.ts'

/** Two years of sums; days of points for the last month alone, which is what a screen reads of them. */
export const YEARS = { from: pickSize('2024-11-01', '2026-06-01'), to: '2026-11-01' }
export const MONTH = { from: '2026-10-01', to: '2026-11-01' }
const POINTS_OF_ONE = 250
const QUARTERS_BY_DAY = 96

const days = sql`generate_series(${YEARS.from}::date, ${addDays(YEARS.to, -1)}::date, interval '1 day') d(at)`
const months = sql`generate_series(${YEARS.from}::date, ${addDays(YEARS.to, -1)}::date, interval '1 month') t(at)`
/** Watt-minutes of a point's day, and what of it is local. */
const DAY = 720_000
const LOCAL = 250_000
/** As a meter says it: four bytes a step. */
const CURVE = Buffer.from(Int32Array.from({ length: QUARTERS_BY_DAY }, (_, at) => 200 + ((at * 131) % 900)).buffer)

/**
 * A company of so many points: members and their places, whole operations of two hundred and fifty or so many, each with its plant.
 * `tidy` tells the planner of them: it knew no points, and looked through all of the company's for each row that names one.
 */
export async function fill(db: Db, points: number, tidy: () => Promise<void>, each = POINTS_OF_ONE): Promise<number> {
  const [company] = await db
    .insert(companies)
    .values({ name: `Mesure ${points}` })
    .returning()
  if (!company) throw new Error('no company to measure with')
  await people(db, company.id, points, each)
  await tidy()
  await readings(db, company.id)
  await runs(db, company.id)
  await sums(db, company.id)
  return company.id
}

async function people(db: Db, companyId: number, points: number, each: number): Promise<void> {
  const count = Math.max(1, Math.round(points / each))
  await db.execute(sql`
    insert into operations (company_id, name, status, unit_price)
    select ${companyId}, 'Opération ' || n, 'active', 1250 from generate_series(1, ${count}::int) n`)
  await db.execute(sql`
    with places as (select id, row_number() over (order by name) as nth from operations where company_id = ${companyId}),
    numbers as (select n, gen_random_uuid() as who, gen_random_uuid() as meter, n % ${each}::int = 1 as plant
                  from generate_series(1, ${points}::int) n),
    people as (
      insert into participants (company_id, id, kind, name, tags)
      select ${companyId}, who, 'person', 'Membre ' || n, array['Groupe ' || (n % 12)] from numbers returning id),
    meters as (
      insert into points (company_id, id, prm, direction, segment, peak_watts)
      select ${companyId}, meter, lpad(n::text, 14, '30000000000000'),
             case when plant then 'production' else 'consumption' end, 'C5', case when plant then 100000 end
        from numbers returning id)
    insert into participations (company_id, operation_id, participant_id, point_id, starts_on)
    select ${companyId}, o.id, who, meter, ${YEARS.from}::date from numbers
      join places o on o.nth = least(${count}::int, 1 + (n - 1) / ${each}::int)
     where (select count(*) from people) + (select count(*) from meters) > 0`)
}

async function readings(db: Db, companyId: number): Promise<void> {
  await db.execute(sql`
    insert into curve_months (company_id, point_id, month, days, present, expected, energy, peak, mask, letters, received_at)
    select ${companyId}, p.id, t.at::date, l.days, l.days * ${QUARTERS_BY_DAY}::int, l.days * ${QUARTERS_BY_DAY}::int, l.days * ${DAY}::bigint, 1100,
           (1::bigint << l.days) - 1, repeat('r', l.days), now()
      from points p cross join ${months}
     cross join lateral (select extract(day from t.at + interval '1 month' - interval '1 day')::int as days) l
     where p.company_id = ${companyId}`)
  await db.execute(sql`
    insert into curve_days (company_id, point_id, day, version, step, watts, quality, present, expected, energy, peak, source, received_at)
    select ${companyId}, p.id, d.at::date, 1, 15, ${CURVE}, 1, ${QUARTERS_BY_DAY}, ${QUARTERS_BY_DAY}, ${DAY}, 1100, 'model', now()
      from points p cross join ${days} where p.company_id = ${companyId} and d.at >= ${MONTH.from}::date`)
}

/** A run a month for each operation, with the sums of its points. */
async function runs(db: Db, companyId: number): Promise<void> {
  await db.execute(sql`
    insert into allocation_runs (company_id, operation_id, starts_on, ends_on, kind, status, engine_version, completeness)
    select ${companyId}, o.id, t.at::date, (t.at + interval '1 month')::date, 'definitive', 'done', 'mesure', '{"members":[]}'
      from operations o cross join ${months} where o.company_id = ${companyId}`)
  await db.execute(sql`
    insert into allocation_coverage (company_id, operation_id, day, run_id)
    select r.company_id, r.operation_id, d.at::date, r.id from allocation_runs r cross join ${days}
     where r.company_id = ${companyId} and d.at >= r.starts_on and d.at < r.ends_on`)
  const seats = sql`allocation_runs r join participations p on p.company_id = r.company_id and p.operation_id = r.operation_id`
  await db.execute(sql`
    insert into allocation_totals (company_id, run_id, point_id, month, time_class, total, local)
    select r.company_id, r.id, p.point_id, r.starts_on, c.name, (r.ends_on - r.starts_on) * ${DAY / 2}::bigint,
           (r.ends_on - r.starts_on) * ${LOCAL / 2}::bigint
      from ${seats} cross join unnest(array['HP', 'HC']) c(name) where r.company_id = ${companyId}`)
  await db.execute(sql`
    insert into allocation_days (company_id, run_id, point_id, day, allocated, total, local, excluded)
    select r.company_id, r.id, p.point_id, d.at::date, ${CURVE}, ${DAY}, ${LOCAL}, 0
      from ${seats} cross join ${days}
     where r.company_id = ${companyId} and r.starts_on = ${MONTH.from}::date and d.at >= ${MONTH.from}::date`)
}

/** What is kept of whole operations, as the task that keeps it writes it. */
async function sums(db: Db, companyId: number): Promise<void> {
  const numbers = sql`energy, present, expected, days, holes, quality, estimated, total, local, excluded, steps, seen, given`
  await db.execute(sql`
    insert into operation_days (company_id, operation_id, day, side, ${numbers})
    select s.company_id, s.operation_id, d.at::date, s.side, s.n * ${DAY}::bigint, s.n * ${QUARTERS_BY_DAY}::int, s.n * ${QUARTERS_BY_DAY}::int, s.n,
           false, 1, 0, s.n * ${DAY}::bigint, s.n * ${LOCAL}::bigint, 0, s.n * ${QUARTERS_BY_DAY}::int, s.n, s.n
      from (select q.company_id, q.operation_id, (p.direction = 'production')::int as side, count(*)::int as n
              from participations q join points p on p.company_id = q.company_id and p.id = q.point_id
             where q.company_id = ${companyId} group by 1, 2, 3) s cross join ${days}`)
  await db.execute(sql`
    insert into operation_months (company_id, operation_id, month, side, ${numbers})
    select company_id, operation_id, date_trunc('month', day)::date, side, sum(energy), sum(present), sum(expected), sum(days),
           false, 1, 0, sum(total), sum(local), 0, sum(steps), sum(seen), sum(given)
      from operation_days where company_id = ${companyId} group by 1, 2, 3, 4`)
  const { rows } = await db.execute<{ id: string }>(sql`select id from operations where company_id = ${companyId}`)
  const [first] = rows
  if (first) await steps(db, companyId, first.id)
  for (const { id } of rows) await seats(db, companyId, id)
}

/** Steps and hours of one operation, written as the task does, and the same of the others: only their number matters. */
async function steps(db: Db, companyId: number, operationId: string): Promise<void> {
  for (let from = YEARS.from; from < YEARS.to; from = addMonths(from, 1)) {
    const to = addMonths(from, 1)
    const packed = listDays(from, to).flatMap((day) => {
      const bytes = packDaySteps(day)
      return bytes ? [{ day, step: 15, packed: bytes }] : []
    })
    await writeStepRollups(db, { companyId, operationId, from, to }, packed)
    await writeHourRollups(db, { companyId, operationId, from, to }, from, 15)
  }
  const others = sql`s join operations o on o.company_id = s.company_id and o.id <> s.operation_id
    where s.company_id = ${companyId} and s.operation_id = ${operationId}`
  await db.execute(sql`insert into operation_steps (company_id, operation_id, day, step, packed)
    select s.company_id, o.id, s.day, s.step, s.packed from operation_steps ${others}`)
  await db.execute(sql`insert into operation_hours (company_id, operation_id, month, part, step, mask, packed)
    select s.company_id, o.id, s.month, s.part, s.step, s.mask, s.packed from operation_hours ${others}`)
}

/** Of each participation: every month, and the days of the last one. */
async function seats(db: Db, companyId: number, operationId: string): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from participations where company_id = ${companyId} and operation_id = ${operationId} order by id`)
  const over = (n: number) =>
    packParticipationSums(
      rows.map(({ id }) => [toPackedKey(id), { energy: n * DAY, total: n * DAY, local: n * LOCAL }]),
    )
  const put = async (monthly: boolean, days: string[], n: number) => {
    const own = over(n)
    await db.execute(sql`insert into operation_seats (company_id, operation_id, monthly, day, seats, packed)
      select ${companyId}, ${operationId}, ${monthly}, day, ${own.seats}, ${own.packed}
        from unnest(${sql.param(days)}::date[]) day`)
  }
  await put(false, listDays(MONTH.from, MONTH.to), 1)
  const months = listMonths(YEARS.from, YEARS.to)
  for (const length of new Set(months.map(countDays)))
    await put(
      true,
      months.filter((month) => countDays(month) === length),
      length,
    )
}

const listMonths = (from: string, to: string): string[] =>
  from < to ? [from, ...listMonths(addMonths(from, 1), to)] : []
const countDays = (month: string) => listDays(month, addMonths(month, 1)).length

/** Both sides of a day, no two steps alike. */
function packDaySteps(day: string): Buffer | null {
  const length = minutesOfDay(day) / 15
  const starts = Array.from({ length }, (_, at) => dayStart(day) + at * 15)
  const columns = createEnergyColumns(starts, 15, [])
  for (const side of [columns.consumption, columns.production])
    for (let at = 0; at < length; at++) {
      side.read[at] = 1_000_000 + ((at * 7919) % 90_000)
      side.local[at] = 300_000 + ((at * 131) % 9000)
      side.rest[at] = (side.read[at] ?? 0) - (side.local[at] ?? 0)
      for (const name of ['known', 'held', 'heldRest'] as const) side[name][at] = POINTS_OF_ONE
    }
  columns.marks.fill(1)
  return packSteps(columns, 0, length)
}

const POINTS_OF_AN_OPERATION = 33
/** Half-hours of a day that is like every other, four bytes each. */
const HALF_HOURS_BY_DAY = 48
const WATTS = Buffer.from(Int32Array.from({ length: HALF_HOURS_BY_DAY }, (_, at) => 200 + ((at * 131) % 900)).buffer)
const DAY_WATT_MINUTES = 720_000

/**
 * Beside the demo a company with so many times its points, each with as many days of readings as the demo has, and somebody
 * signed in there. The planner is told of them, as autovacuum would.
 */
export async function addTimesTheDemo(url: string, times: number) {
  const db = openDatabase(url, 2)
  try {
    const { rows } = await db.execute<{ points: number; from: string; to: string }>(sql`
      select (select count(*)::int from points) as points, min(day)::text as from, max(day)::text as to from curve_days`)
    const { points = 0, from = '', to = '' } = rows[0] ?? {}
    const tidy = async () => void (await db.$client.query('vacuum analyze'))
    const companyId = await fill(db, points * times, tidy, POINTS_OF_AN_OPERATION)
    await db.execute(sql`
      insert into curve_days (company_id, point_id, day, version, step, watts, quality, present, expected, energy, peak, source, received_at)
      select ${companyId}, p.id, d.at::date, 1, 30, ${WATTS}, 1, ${HALF_HOURS_BY_DAY}, ${HALF_HOURS_BY_DAY}, ${DAY_WATT_MINUTES}, 1100, 'model', now()
        from points p cross join generate_series(${from}::date, ${to}::date, interval '1 day') d(at)
       where p.company_id = ${companyId} and not (d.at >= ${MONTH.from}::date and d.at < ${MONTH.to}::date)`)
    await tidy()
    const sizes = await db.execute<{ points: number; days: number; bytes: string }>(sql`
      select (select count(*)::int from points) as points, (select count(*)::int from curve_days) as days,
             pg_database_size(current_database())::text as bytes`)
    return { token: await signedIn(db, companyId), demoPoints: points, ...sizes.rows[0] }
  } finally {
    await db.$client.end()
  }
}

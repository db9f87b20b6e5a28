import { dayOf, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { countMissing, MISSING, STEPS, type Step, sumKnown } from '@voisol/energy/series'
import { type SQL, sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/readings.ts'
import { RETURNING_ONE } from '../../../db/citus.ts'
import type { Db } from '../../../db/client.ts'
import { type RecordEventInput, recordEvent } from '../../../events/events.ts'
import type {
  AgreementPoint,
  EnedisCurve,
  EnedisCurvePoint,
  EnedisQuantity,
  SeriesType,
} from '../../../integrations/enedis/enedis-types.ts'

/** Number of records with new information. */
type WrittenCount = { written: number }

const toSqlArray = (values: unknown[], type: string): SQL => sql`${sql.param(values)}::${sql.raw(type)}[]`
const toColumnArray = <T>(rows: T[], name: keyof T, type: string): SQL =>
  toSqlArray(
    rows.map((row) => row[name]),
    type,
  )
const toWrittenCount = ({ rowCount }: { rowCount: number | null }): WrittenCount => ({ written: rowCount ?? 0 })

type StoreSeriesInput = {
  companyId: number
  operationId: string
  pointId: string
  type: SeriesType
  curve: EnedisCurve
  from: string
  to: string
  receivedAt: Date
}
type StoredDay = { day: string; step: number; watts: Buffer; newer: boolean }

/** Stores the distributor's series of a point. A day without any value is left unchanged. */
export async function storeDistributorSeries(tx: Db, series: StoreSeriesInput): Promise<WrittenCount> {
  const { companyId, operationId, pointId, type } = series
  const at = series.receivedAt.toISOString()
  const days = toSeriesDays(series.curve, series.from, series.to)
  if (!days.length) return { written: 0 }
  await lockPoint(tx, companyId, pointId)
  const names = days.map(({ day }) => day)
  const { rows } = await tx.execute<StoredDay>(sql`
    select day::text, step, watts, received_at > ${at}::timestamptz as newer from distributor_days
     where company_id = ${companyId} and operation_id = ${operationId} and point_id = ${pointId} and type = ${type}
       and day = any(${toSqlArray(names, 'date')})`)
  const known = new Map(rows.map((row) => [row.day, row]))
  const merged = days.map((day) => mergeDay(known.get(day.day), day))
  const facts = merged.map(({ day, step, watts }) => ({
    day,
    step,
    energy: sumKnown(watts) * step,
    missing: countMissing(watts),
    watts: Buffer.from(watts.buffer, watts.byteOffset, watts.byteLength).toString('hex'),
  }))
  const g = sql`unnest(${toColumnArray(facts, 'day', 'date')}, ${toColumnArray(facts, 'step', 'int')},
    ${toColumnArray(facts, 'watts', 'text')}, ${toColumnArray(facts, 'energy', 'bigint')}, ${toColumnArray(facts, 'missing', 'int')})
    g(day, step, watts, energy, missing)`
  const result = await tx.execute(sql`
    insert into distributor_days as d (company_id, operation_id, point_id, day, type, step, watts, energy, missing,
      received_at)
    select ${companyId}::int, ${operationId}::uuid, ${pointId}::uuid, g.day, ${type}::text, g.step, decode(g.watts, 'hex'), g.energy, g.missing,
           ${at}::timestamptz
      from ${g}
    on conflict (company_id, operation_id, point_id, day, type) do update
      set step = excluded.step, watts = excluded.watts, energy = excluded.energy, missing = excluded.missing,
          received_at = greatest(d.received_at, excluded.received_at)
      where d.step <> excluded.step or d.watts <> excluded.watts
    ${RETURNING_ONE}`)
  return toWrittenCount(result)
}

function mergeDay(stored: StoredDay | undefined, day: SeriesDay): SeriesDay {
  if (!stored) return day
  const old = { day: day.day, step: stored.step as Step, watts: unpackInts(stored.watts) } // written by this module alone
  return stored.newer ? overlayDay(day, old) : overlayDay(old, day)
}

/** Serialises writers of the same point. */
async function lockPoint(tx: Db, companyId: number, pointId: string): Promise<void> {
  await tx.execute(sql`select 1 from points where company_id = ${companyId} and id = ${pointId} for no key update`)
}

type StoreQuantitiesInput = {
  companyId: number
  /** Null when a file names a point that is in no operation at that time. */
  operationId: string | null
  pointId: string
  from: string
  to: string
  source: 'api' | 'R15'
  quantities: EnedisQuantity[]
  receivedAt: Date
}

/**
 * Stores the quantities of a point over a period; a change adds a new record. The given classes of a type and calendar
 * are complete: one that is no longer named ends. Data older than the stored record is ignored.
 */
export async function storeDefinitiveQuantities(tx: Db, given: StoreQuantitiesInput): Promise<WrittenCount> {
  const { companyId, operationId, pointId, source } = given
  const quantities = [
    ...new Map(given.quantities.map((own) => [`${own.type} ${own.calendar} ${own.name}`, own])).values(),
  ]
  if (!quantities.length) return { written: 0 }
  await lockPoint(tx, companyId, pointId)
  const at = sql`${given.receivedAt.toISOString()}::timestamptz`
  const g = sql`unnest(${toColumnArray(quantities, 'type', 'text')}, ${toColumnArray(quantities, 'calendar', 'text')}, ${toColumnArray(quantities, 'name', 'text')}, ${toColumnArray(quantities, 'wh', 'bigint')}) g(type, calendar, name, wh)`
  const current = sql`q.company_id = ${companyId} and q.point_id = ${pointId} and q.from_day = ${given.from}::date
    and q.to_day = ${given.to}::date and q.source = ${source} and q.superseded_at is null`
  await tx.execute(sql`
    update distributor_quantities q set superseded_at = ${at}
     where ${current} and q.received_at <= ${at}
       and exists (select 1 from ${g} where g.type = q.type and g.calendar = q.calendar)
       and not exists (select 1 from ${g} where g.type = q.type and g.calendar = q.calendar and g.name = q.name
                          and g.wh = q.wh and q.operation_id is not distinct from ${operationId}::uuid)`)
  const result = await tx.execute(sql`
    insert into distributor_quantities (company_id, operation_id, point_id, from_day, to_day, type, calendar, name, wh,
      source, received_at)
    select ${companyId}::int, ${operationId}::uuid, ${pointId}::uuid, ${given.from}::date, ${given.to}::date, g.type, g.calendar,
           g.name, g.wh, ${source}::text, ${at}
      from ${g}
     where not exists (select 1 from distributor_quantities q where ${current} and q.type = g.type
                          and q.calendar = g.calendar and (q.name = g.name or q.received_at > ${at}))
    ${RETURNING_ONE}`)
  return toWrittenCount(result)
}

type StorePerimeterInput = { companyId: number; operationId: string; points: AgreementPoint[]; readAt: Date }

/** Replaces the points of an agreement: those no longer listed are removed. */
export async function storePerimeter(
  tx: Db,
  { companyId, operationId, points, readAt }: StorePerimeterInput,
): Promise<WrittenCount> {
  const g = sql`select prm, case when role = 'prod' then 'production' else 'consumption' end as direction,
      case when bool_or(starts_on is null) then null else min(starts_on) end as starts_on,
      case when bool_or(ends_on is null) then null else max(ends_on) end as ends_on
    from unnest(${toColumnArray(points, 'prm', 'text')}, ${toColumnArray(points, 'role', 'text')}, ${toColumnArray(points, 'startsOn', 'date')}, ${toColumnArray(points, 'endsOn', 'date')}) p(prm, role, starts_on, ends_on) group by 1, 2`
  await tx.execute(sql`
    delete from distributor_perimeters d where d.company_id = ${companyId} and d.operation_id = ${operationId}
       and not exists (select 1 from (${g}) g where g.prm = d.prm and g.direction = d.direction)`)
  const result = await tx.execute(sql`
    insert into distributor_perimeters (company_id, operation_id, prm, direction, starts_on, ends_on, read_at)
    select ${companyId}::int, ${operationId}::uuid, g.prm, g.direction, g.starts_on, g.ends_on, ${readAt.toISOString()}::timestamptz
      from (${g}) g
    on conflict (company_id, operation_id, prm, direction) do update
      set starts_on = excluded.starts_on, ends_on = excluded.ends_on, read_at = excluded.read_at
    ${RETURNING_ONE}`)
  return toWrittenCount(result)
}

type StoreEnergiesInput = { companyId: number; pointId: string; days: { day: string; wh: number }[]; receivedAt: Date }

export async function storeDailyEnergies(
  tx: Db,
  { companyId, pointId, days, receivedAt }: StoreEnergiesInput,
): Promise<WrittenCount> {
  if (!days.length) return { written: 0 }
  const result = await tx.execute(sql`
    insert into distributor_energies as d (company_id, point_id, day, wh, received_at)
    select distinct on (g.day) ${companyId}::int, ${pointId}::uuid, g.day, g.wh, ${receivedAt.toISOString()}::timestamptz
      from unnest(${toColumnArray(days, 'day', 'date')}, ${toColumnArray(days, 'wh', 'bigint')}) with ordinality g(day, wh, nth)
     order by g.day, g.nth desc
    on conflict (company_id, point_id, day) do update set wh = excluded.wh, received_at = excluded.received_at
      where d.wh <> excluded.wh and d.received_at <= excluded.received_at
    ${RETURNING_ONE}`)
  return toWrittenCount(result)
}

/** Power of a whole local day in watts, MISSING for gaps. */
type SeriesDay = { day: string; step: Step; watts: Int32Array }

const MIN_STEP_MINUTES = 5
const computeGcd = (a: number, b: number): number => (b === 0 ? a : computeGcd(b, a % b))
const getStart = ({ end, minutes }: EnedisCurvePoint) => end - minutes
const isValidPoint = (point: EnedisCurvePoint) =>
  point.minutes > 0 &&
  point.minutes % MIN_STEP_MINUTES === 0 &&
  getStart(point) % MIN_STEP_MINUTES === 0 &&
  point.watts >= 0

/** The coarsest step that contains every timestamp of the day. */
function findCommonStep(points: EnedisCurvePoint[], origin: number): Step {
  const whole = points.reduce((sum, point) => computeGcd(computeGcd(sum, point.minutes), getStart(point) - origin), 60)
  return STEPS.findLast((step) => whole % step === 0) ?? MIN_STEP_MINUTES
}

/** The days of [from, to) with at least one value. */
function toSeriesDays({ points }: EnedisCurve, from: string, to: string): SeriesDay[] {
  const byDay = Map.groupBy(points.filter(isValidPoint), (point) => dayOf(getStart(point)))
  return [...byDay].flatMap(([day, own]) => {
    if (day < from || day >= to) return []
    const origin = dayStart(day)
    const step = findCommonStep(own, origin)
    const watts = new Int32Array(minutesOfDay(day) / step).fill(MISSING)
    for (const point of own) {
      const at = (getStart(point) - origin) / step
      watts.fill(point.watts, at, at + point.minutes / step)
    }
    return [{ day, step, watts }]
  })
}

/** Where the later day has a gap, the earlier value stays. */
function overlayDay(earlier: SeriesDay, later: SeriesDay): SeriesDay {
  if (earlier.step !== later.step) return later
  const watts = later.watts.map((value, at) => (value < 0 ? (earlier.watts[at] ?? MISSING) : value))
  return { ...later, watts }
}

/** New or changed quantities of a point. */
export type NewQuantities = { operationId: string; pointId: string; from: string; to: string }

/** Records one event per operation, with all days concerned. */
export async function recordNewQuantities(
  tx: Db,
  companyId: number,
  news: readonly NewQuantities[],
  by: RecordEventInput['by'],
) {
  for (const [operationId, own] of Map.groupBy(news, (one) => one.operationId)) {
    const data = {
      operationId,
      points: new Set(own.map(({ pointId }) => pointId)).size,
      from: own.map(({ from }) => from).reduce((a, b) => (a < b ? a : b)),
      to: own.map(({ to }) => to).reduce((a, b) => (a > b ? a : b)),
    }
    await recordEvent(tx, { companyId, name: 'quantities.received', object: operationId, data, by })
  }
}

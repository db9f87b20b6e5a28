import { addDays, dayStart } from '@voisol/energy/calendar'
import { and, asc, eq, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import { unpackInts } from '../../../core/readings.ts'
import { operations, participations, points } from '../../../db/schema/index.ts'
import { loadMemberSumsByMonth, toWh } from '../../analytics/energy/index.ts'
import { forEachCurveDay } from '../../energy/curves/index.ts'
import {
  type DataBatch,
  type DataSetQuery,
  type DataSetSource,
  DIRECTION_COLUMN,
  dayColumn,
  decimalColumn,
  instantColumn,
  int32Column,
  integerColumn,
  OPERATION_COLUMN,
  PRM_COLUMN,
  ROWS_PER_BATCH,
  readPages,
  textColumn,
  toColumnTable,
} from './data-set.ts'
import { type PointDay, packDays } from './packed-days.ts'
import { buildParticipationFilter } from './people-data-sets.ts'

/** All points of the company without a filter; otherwise the points of the filter on the days they belonged to it. */
async function listReadablePoints(asking: DataSetQuery): Promise<PointGroup[]> {
  const { db, actor, operationId, participantId } = asking
  if (actor.operationIds || operationId || participantId) {
    const pointPeriods = (await listPointGroups(asking)).flatMap((group) => group.points)
    const byId = Map.groupBy(pointPeriods, ({ id }) => id)
    const merged = [...byId.values()].flatMap(([first, ...more]) =>
      first ? [{ ...first, spans: [first, ...more].flatMap(({ spans }) => spans) }] : [],
    )
    return [{ key: '', points: merged.sort((a, b) => (a.id < b.id ? -1 : 1)) }]
  }
  const all = await db
    .select({ id: points.id, prm: points.prm, direction: points.direction })
    .from(points)
    .where(eq(points.companyId, actor.companyId))
    .orderBy(asc(points.id))
  return [{ key: '', points: all.map((point) => ({ ...point, spans: [{ from: '', to: null }] })) }]
}

async function loadReadingDays({ db, actor }: DataSetQuery, { points: some, from, to }: DayPart): Promise<PointDay[]> {
  const lines = new Map(some.map(({ id }, line) => [id, line]))
  const days: PointDay[] = []
  const pointIds = some.map(({ id }) => id)
  await forEachCurveDay(
    db,
    { companyId: actor.companyId, pointIds, from, to },
    ({ pointId, day, step, watts, marks, quality }) => {
      const line = lines.get(pointId) ?? 0
      const pointPeriods = some[line]
      // The reader reuses its buffer, so that the values that are kept must be copied.
      if (pointPeriods && isDayInPeriods(pointPeriods, day))
        days.push({ line, day, step, values: watts.slice(), marks, quality })
    },
  )
  return days
}

const buildTextColumns = ({ key, points: some }: DayPart, withKey: boolean) => [
  ...(withKey ? [some.map(() => key)] : []),
  some.map(({ prm }) => prm),
  some.map(({ direction }) => direction),
]

async function* readDayParts(
  groups: PointGroup[],
  asking: DataSetQuery,
  after: string,
  daysOf: (asking: DataSetQuery, part: DayPart) => Promise<PointDay[]>,
  of: { operation: boolean; marked: boolean },
): AsyncGenerator<DataBatch> {
  for (const part of planPartsAfter(groups, asking, after)) {
    const days = await daysOf(asking, part)
    if (!days.length) continue
    const data = packDays(days, buildTextColumns(part, of.operation), of.marked)
    yield { cursor: part.cursor, size: data.values.length, data }
  }
}

const AT_COLUMN = instantColumn('at', 'Début du pas', 'UTC')
const STEP_COLUMN = int32Column('step_minutes', 'Durée du pas', 'min')

export const readingSource: DataSetSource = {
  about: 'Une ligne par point et par pas. Un pas que le compteur n’a pas dit reste vide\u00a0: ce n’est pas un zéro.',
  columns: [
    PRM_COLUMN,
    DIRECTION_COLUMN,
    AT_COLUMN,
    STEP_COLUMN,
    int32Column('watts', 'Puissance moyenne sur le pas, vide où elle manque', 'W'),
    textColumn('quality', 'raw, corrected, estimated, doubtful ou missing'),
  ],
  async *read(asking, after) {
    yield* readDayParts(await listReadablePoints(asking), asking, after, loadReadingDays, {
      operation: false,
      marked: true,
    })
  },
  async count(asking) {
    const ids = (await listReadablePoints(asking)).flatMap((group) => group.points.map(({ id }) => id))
    const { rows } = await asking.db.execute<{ n: string | null }>(sql`
      select sum(expected) as n from curve_months where company_id = ${asking.actor.companyId}
         and month >= ${`${asking.from.slice(0, 7)}-01`} and month < ${asking.to}
         and point_id = any(${sql.param(ids)}::uuid[])`)
    return Number(rows[0]?.n ?? 0)
  },
}

async function loadShareDays(
  { db, actor }: DataSetQuery,
  { key, points: some, from, to }: DayPart,
): Promise<PointDay[]> {
  const lines = new Map(some.map(({ id }, line) => [id, line]))
  const ids = sql.param([...lines.keys()])
  const { rows } = await db.execute<{ pointId: string; day: string; allocated: Buffer }>(sql`
    select d.point_id as "pointId", d.day::text, d.allocated
      from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${actor.companyId} and c.operation_id = ${key} and c.day >= ${from} and c.day < ${to}
       and d.point_id = any(${ids}::uuid[])`)
  return rows.flatMap(({ pointId, day, allocated }) => {
    const line = lines.get(pointId) ?? 0
    const pointPeriods = some[line]
    if (!pointPeriods || !isDayInPeriods(pointPeriods, day)) return []
    const values = unpackInts(allocated)
    const step = (dayStart(addDays(day, 1)) - dayStart(day)) / values.length
    return [{ line, day, step, values, marks: null, quality: 0 }]
  })
}

/** Estimates the member days that the current runs hold, at the step of their operation. */
const buildShareCountQuery = (asking: DataSetQuery, ids: string[]) => sql`
  select sum(octet_length(d.allocated) / 4) as n
    from allocation_coverage c
    join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
   where ${and(
     sql`c.company_id = ${asking.actor.companyId}`,
     sql`c.operation_id = any(${sql.param(ids)}::uuid[])`,
     sql`c.day >= ${asking.from} and c.day < ${asking.to}`,
   )}`

export const shareSource: DataSetSource = {
  about: 'Une ligne par point et par pas, de la répartition qui fait foi. Un pas écarté du calcul reste vide.',
  columns: [
    OPERATION_COLUMN,
    PRM_COLUMN,
    DIRECTION_COLUMN,
    AT_COLUMN,
    STEP_COLUMN,
    int32Column('local_watt_minutes', 'Énergie partagée dans le pas\u00a0: 60 watt-minutes font un wattheure', 'W·min'),
  ],
  async *read(asking, after) {
    yield* readDayParts(await listPointGroups(asking), asking, after, loadShareDays, { operation: true, marked: false })
  },
  async count(asking) {
    const ids = (await listPointGroups(asking)).map(({ key }) => key)
    const { rows } = await asking.db.execute<{ n: string | null }>(buildShareCountQuery(asking, ids))
    return Number(rows[0]?.n ?? 0)
  },
}

type DayRange = { from: string; to: string | null }
type PointPeriods = { id: string; prm: string; direction: string; spans: DayRange[] }
/** Points read together; they belong to one operation when the data set is about operations. */
export type PointGroup = { key: string; points: PointPeriods[] }
/** A range of days of some points: the unit that is read, written and checkpointed. */
type DayPart = { key: string; points: PointPeriods[]; from: string; to: string; cursor: string }

/** With the steps of a month about 100,000 values: little memory, and a good Parquet row group. */
const POINTS_PER_PART = 32

/** Whether the day is within the periods of the point. */
const isDayInPeriods = ({ spans }: PointPeriods, day: string) =>
  spans.some(({ from, to }) => day >= from && (to === null || day < to))

/** Which points can be read on which days, grouped by operation. */
async function listPointGroups(asking: DataSetQuery): Promise<PointGroup[]> {
  const rows = await asking.db
    .select({
      operationId: participations.operationId,
      id: points.id,
      prm: points.prm,
      direction: points.direction,
      from: participations.startsOn,
      to: participations.endsOn,
    })
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .where(buildParticipationFilter(asking))
    .orderBy(asc(participations.operationId), asc(points.id), asc(participations.startsOn))
  const groups = new Map<string, Map<string, PointPeriods>>()
  for (const { operationId, from, to, ...point } of rows) {
    const group = groups.get(operationId) ?? new Map<string, PointPeriods>()
    const pointPeriods = group.get(point.id) ?? { ...point, spans: [] }
    pointPeriods.spans.push({ from, to })
    groups.set(operationId, group.set(point.id, pointPeriods))
  }
  return [...groups].map(([key, pointPeriods]) => ({ key, points: [...pointPeriods.values()] }))
}

/** Calendar months, clipped to the period. */
function* splitPeriodByMonth(from: string, to: string): Generator<{ from: string; to: string }> {
  for (let start = from; start < to; ) {
    const next = `${addDays(`${start.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
    const end = next < to ? next : to
    yield { from: start, to: end }
    start = end
  }
}

/** The parts that remain after a cursor; points keep their grouping even when new ones were added since. */
export function* planPartsAfter(
  groups: PointGroup[],
  { from, to }: Pick<DataSetQuery, 'from' | 'to'>,
  after: string,
): Generator<DayPart> {
  const [key = '', first = '', last = '', done = ''] = after.split(' ')
  for (const group of groups) {
    if (after && group.key < key) continue
    const here = after !== '' && group.key === key
    const begun = here ? group.points.filter(({ id }) => id >= first && id <= last) : []
    const rest = here ? group.points.filter(({ id }) => id > last) : group.points
    if (begun.length) yield* planMonthParts(group.key, begun, done, to)
    for (let at = 0; at < rest.length; at += POINTS_PER_PART)
      yield* planMonthParts(group.key, rest.slice(at, at + POINTS_PER_PART), from, to)
  }
}

function* planMonthParts(key: string, some: PointPeriods[], from: string, to: string): Generator<DayPart> {
  for (const span of splitPeriodByMonth(from, to))
    yield { key, points: some, ...span, cursor: [key, some[0]?.id, some.at(-1)?.id, span.to].join(' ') }
}

const listOperationIds = ({ db, actor, operationId }: DataSetQuery) =>
  db
    .select({ id: operations.id })
    .from(operations)
    .where(
      and(
        eq(operations.companyId, actor.companyId),
        withinOperationLimit(actor, operations.id),
        operationId ? eq(operations.id, operationId) : undefined,
      ),
    )
    .orderBy(asc(operations.id))

const ENERGY_COLUMNS = [
  dayColumn('month', 'Premier jour du mois'),
  OPERATION_COLUMN,
  textColumn('participant_id', 'Identifiant du participant'),
  PRM_COLUMN,
  DIRECTION_COLUMN,
  decimalColumn('total_wh', 'Énergie soutirée ou injectée', 'Wh'),
  decimalColumn('local_wh', 'Part partagée dans l’opération', 'Wh'),
  integerColumn('total_watt_minutes', 'La même, exacte\u00a0: 60 watt-minutes font un wattheure', 'W·min'),
  integerColumn('local_watt_minutes', 'De même, de la part partagée', 'W·min'),
]

async function loadMemberMonths(asking: DataSetQuery, operationId: string) {
  const { db, actor, from, to, participantId } = asking
  const memberMonths = await loadMemberSumsByMonth(db, actor.companyId, operationId, { from, to })
  return participantId ? memberMonths.filter(({ member }) => member.participantId === participantId) : memberMonths
}

export const energySource: DataSetSource = {
  about: 'Une ligne par membre et par mois, des répartitions qui font foi.',
  columns: ENERGY_COLUMNS,
  async *read(asking, after) {
    for (const { id } of await listOperationIds(asking)) {
      if (after && id <= after) continue
      const memberMonths = await loadMemberMonths(asking, id)
      if (!memberMonths.length) continue
      const rows = memberMonths.map(({ member, month, sum }) => ({
        month,
        operation_id: member.operationId,
        participant_id: member.participantId,
        prm: member.prm,
        direction: member.direction,
        total_wh: toWh(sum.total),
        local_wh: toWh(sum.local),
        total_watt_minutes: sum.total,
        local_watt_minutes: sum.local,
      }))
      yield { cursor: id, size: rows.length, data: toColumnTable(ENERGY_COLUMNS, rows) }
    }
  },
  async count(asking) {
    const all = await listOperationIds(asking)
    let sum = 0
    for (const { id } of all) sum += (await loadMemberMonths(asking, id)).length
    return sum
  },
}

const SHARE_DAY_COLUMNS = [
  OPERATION_COLUMN,
  dayColumn('day', 'Jour'),
  PRM_COLUMN,
  DIRECTION_COLUMN,
  textColumn('participant_id', 'Identifiant du participant'),
  integerColumn('total_watt_minutes', 'Énergie soutirée ou injectée sur les pas répartis', 'W·min'),
  integerColumn('local_watt_minutes', 'Part partagée dans l’opération', 'W·min'),
  integerColumn('excluded_steps', 'Pas écartés du calcul'),
  textColumn('run_id', 'Identifiant de la répartition'),
]

const buildShareDaysFrom = (asking: DataSetQuery) => sql`
  from allocation_coverage c
  join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
  join participations m on m.company_id = c.company_id and m.operation_id = c.operation_id and m.point_id = d.point_id
   and m.starts_on <= c.day and (m.ends_on is null or m.ends_on > c.day)
  join points p on p.company_id = d.company_id and p.id = d.point_id
 where ${and(
   sql`c.company_id = ${asking.actor.companyId}`,
   withinOperationLimit(asking.actor, sql`c.operation_id`),
   asking.operationId ? sql`c.operation_id = ${asking.operationId}` : undefined,
   asking.participantId ? sql`m.participant_id = ${asking.participantId}` : undefined,
   sql`c.day >= ${asking.from} and c.day < ${asking.to}`,
 )}`

type ShareDay = Record<
  'operation_id' | 'day' | 'prm' | 'direction' | 'participant_id' | 'run_id' | 'point_id',
  string
> &
  Record<'total_watt_minutes' | 'local_watt_minutes', string | number> & { excluded_steps: number }

export const shareDaySource: DataSetSource = {
  about: 'Une ligne par membre et par jour, de la répartition qui fait foi ce jour-là.',
  columns: SHARE_DAY_COLUMNS,
  read: (asking, from) =>
    readPages(
      SHARE_DAY_COLUMNS,
      from,
      async (after) => {
        const [operationId, on, pointId] = after.split(' ')
        const next = after ? sql`and (c.operation_id, c.day, d.point_id) > (${operationId}, ${on}, ${pointId})` : sql``
        const { rows } = await asking.db.execute<ShareDay>(sql`
          select c.operation_id, c.day::text as day, p.prm, p.direction, m.participant_id, d.point_id,
                 d.total as total_watt_minutes, d.local as local_watt_minutes, d.excluded as excluded_steps, d.run_id
          ${buildShareDaysFrom(asking)} ${next} order by c.operation_id, c.day, d.point_id limit ${ROWS_PER_BATCH}`)
        return rows.map((row) => ({
          ...row,
          total_watt_minutes: Number(row.total_watt_minutes),
          local_watt_minutes: Number(row.local_watt_minutes),
        }))
      },
      ({ operation_id, day: on, point_id }) => [operation_id, on, point_id].join(' '),
    ),
  async count(asking) {
    const { rows } = await asking.db.execute<{ n: number }>(
      sql`select count(*)::int as n ${buildShareDaysFrom(asking)}`,
    )
    return rows[0]?.n ?? 0
  },
}

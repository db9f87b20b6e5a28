import { addDays, dayStart } from '@voisol/energy/calendar'
import { and, asc, eq, sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/packed.ts'
import { points } from '../../../db/schema/index.ts'
import { forEachCurveDay } from '../../energy/curves/curves.ts'
import {
  type DataBatch,
  type DataSetQuery,
  type DataSetSource,
  DIRECTION_COLUMN,
  instantColumn,
  int32Column,
  OPERATION_COLUMN,
  PRM_COLUMN,
  textColumn,
} from './data-set.ts'
import { type DayPart, isDayInPeriods, listPointGroups, type PointGroup, planPartsAfter } from './day-plan.ts'
import { type PointDay, packDays } from './pack-days.ts'

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

import { addDays } from '@voisol/energy/calendar'
import { and, asc, eq } from 'drizzle-orm'
import { participations, points } from '../../../db/schema/index.ts'
import type { DataSetQuery } from './data-set.ts'
import { buildParticipationFilter } from './set-people.ts'

type DayRange = { from: string; to: string | null }
export type PointPeriods = { id: string; prm: string; direction: string; spans: DayRange[] }
/** Points read together; they belong to one operation when the data set is about operations. */
export type PointGroup = { key: string; points: PointPeriods[] }
/** A range of days of some points: the unit that is read, written and checkpointed. */
export type DayPart = { key: string; points: PointPeriods[]; from: string; to: string; cursor: string }

/** With the steps of a month about 100,000 values: little memory, and a good Parquet row group. */
const POINTS_PER_PART = 32

/** Whether the day is within the periods of the point. */
export const isDayInPeriods = ({ spans }: PointPeriods, day: string) =>
  spans.some(({ from, to }) => day >= from && (to === null || day < to))

/** Which points can be read on which days, grouped by operation. */
export async function listPointGroups(asking: DataSetQuery): Promise<PointGroup[]> {
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
export function* splitPeriodByMonth(from: string, to: string): Generator<{ from: string; to: string }> {
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

import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { coarser, granularityFor, MOST_DAYS } from '@voisol/contract/granularity'
import { daysBetween } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Columns, toSeries } from './buckets.ts'
import { isWhole, type Seat, selectCrews } from './crews.ts'
import { dayColumns, keptDays } from './day-columns.ts'
import { keptSteps } from './kept-steps.ts'
import { type Period, requirePeriod } from './period.ts'
import { type Member, type Selection, selectMembers } from './scope.ts'
import { stepColumns } from './step-columns.ts'

export type SeriesQuery = Period & Selection & { granularity: Granularity }

export const columnsOf = (
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  granularity: Granularity,
): Promise<Columns> =>
  granularity === 'day' || granularity === 'month'
    ? dayColumns(db, companyId, members, period, granularity)
    : stepColumns(db, companyId, members, period, granularity)

/** The same of whole operations, from what is kept of them. */
export const keptColumns = (
  db: Db,
  companyId: number,
  crews: Seat[],
  period: Period,
  granularity: Granularity,
): Promise<Columns> =>
  granularity === 'day' || granularity === 'month'
    ? keptDays(db, companyId, crews, period, granularity)
    : keptSteps(db, companyId, crews, period, granularity)

export async function seriesOf(db: Db, actor: Actor, query: SeriesQuery): Promise<EnergySeries> {
  const { granularity } = query
  const period = requirePeriod(query, MOST_DAYS[granularity])
  if (isWhole(actor, query)) {
    const crews = await selectCrews(db, actor, query)
    return toSeries(await keptColumns(db, actor.companyId, crews, period, granularity), granularity)
  }
  const members = await selectMembers(db, actor, query)
  return toSeries(await columnsOf(db, actor.companyId, members, period, granularity), granularity)
}

/** For a drawing of that width: never more points than it has pixels. */
export function drawnSeries(db: Db, actor: Actor, query: SeriesQuery & { width?: number | undefined }) {
  const { width, granularity: asked, ...selection } = query
  const { from, to } = requirePeriod(query)
  const granularity = width === undefined ? asked : coarser(asked, granularityFor(daysBetween(from, to), width))
  return seriesOf(db, actor, { ...selection, granularity })
}

import type { Measure } from '@voisol/contract/analytics'
import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { coarser, granularityFor, MOST_DAYS } from '@voisol/contract/granularity'
import { daysBetween } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Columns, toSeries } from './buckets.ts'
import { isWhole, type Seat, selectCrews } from './crews.ts'
import { dayColumns, keptDays } from './day-columns.ts'
import { partOf } from './hour-pack.ts'
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
  parts?: number[],
): Promise<Columns> =>
  granularity === 'day' || granularity === 'month'
    ? keptDays(db, companyId, crews, period, granularity)
    : keptSteps(db, companyId, crews, period, granularity, parts)

/** The columns behind each curve that can be asked for alone. */
const PARTS: Record<Measure, number[]> = {
  produced: [partOf('production', 'read'), partOf('production', 'known')],
  consumed: [partOf('consumption', 'read'), partOf('consumption', 'known')],
  allocated: [partOf('consumption', 'local'), partOf('consumption', 'held')],
  surplus: [partOf('production', 'rest'), partOf('production', 'heldRest')],
  complement: [partOf('consumption', 'rest'), partOf('consumption', 'heldRest')],
}

/** With `only`, whatever is not named may come as unknown: a year of forty operations is not read for one curve. */
export async function seriesOf(db: Db, actor: Actor, query: SeriesQuery, only?: Measure[]): Promise<EnergySeries> {
  const { granularity } = query
  const period = requirePeriod(query, MOST_DAYS[granularity])
  if (isWhole(actor, query)) {
    const crews = await selectCrews(db, actor, query)
    const parts = only?.flatMap((measure) => PARTS[measure])
    return toSeries(await keptColumns(db, actor.companyId, crews, period, granularity, parts), granularity)
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

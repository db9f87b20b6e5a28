import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Columns, MOST, toSeries } from './buckets.ts'
import { dayColumns } from './day-columns.ts'
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

export async function seriesOf(db: Db, actor: Actor, query: SeriesQuery): Promise<EnergySeries> {
  const { granularity } = query
  const period = requirePeriod(query, MOST[granularity])
  const members = await selectMembers(db, actor, query)
  return toSeries(await columnsOf(db, actor.companyId, members, period, granularity), granularity)
}

import { sql } from 'drizzle-orm'
import { pointNameSql } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { type OperationPeriod, toPeriodTable } from './asked.ts'

export type ComparedPoint = {
  pointId: string
  prm: string
  label: string
  direction: 'consumption' | 'production'
  storage: boolean
}
type ParticipationDates = { startsOn: string | null; endsOn: string | null }
type OurMembershipRow = ComparedPoint & ParticipationDates & { operationId: string }
type DistributorMembershipRow = ParticipationDates & { operationId: string; prm: string; direction: string }

/** The members of an operation by day, according to us and to the distributor. */
export type Memberships = {
  points: Map<string, ComparedPoint>
  inOurs: (pointId: string, day: string) => boolean
  /** Null when the distributor's dates were never read. */
  inTheirs: (pointId: string, day: string) => boolean | null
  /** The distributor's dates of a point that it knows. */
  theirDates: (pointId: string) => ParticipationDates | undefined
}

const isWithinDates = ({ startsOn, endsOn }: ParticipationDates, day: string) =>
  (startsOn === null || startsOn <= day) && (endsOn === null || endsOn > day)

export async function loadMemberships(
  db: Db,
  companyId: number,
  periods: OperationPeriod[],
): Promise<Map<string, Memberships>> {
  const { rows: ours } = await db.execute<OurMembershipRow>(sql`
    select m.operation_id as "operationId", p.id as "pointId", p.prm, p.direction, p.storage,
           ${pointNameSql(sql`p.label`, sql`n.name`)} as label, m.starts_on::text as "startsOn", m.ends_on::text as "endsOn"
      from ${toPeriodTable(periods)}
      join participations m on m.company_id = ${companyId} and m.operation_id = q.operation_id
      join points p on p.company_id = m.company_id and p.id = m.point_id
      join participants n on n.company_id = m.company_id and n.id = m.participant_id
     order by m.starts_on`)
  const { rows: theirs } = await db.execute<DistributorMembershipRow>(sql`
    select d.operation_id as "operationId", d.prm, d.direction, d.starts_on::text as "startsOn", d.ends_on::text as "endsOn"
      from ${toPeriodTable(periods)}
      join distributor_perimeters d on d.company_id = ${companyId} and d.operation_id = q.operation_id`)
  const [oursOf, theirsOf] = [groupByOperation(ours), groupByOperation(theirs)]
  return new Map(
    periods.map(({ operationId }) => [
      operationId,
      buildMemberships(oursOf.get(operationId) ?? [], theirsOf.get(operationId) ?? []),
    ]),
  )
}

const groupByOperation = <T extends { operationId: string }>(rows: T[]) => Map.groupBy(rows, (row) => row.operationId)

function buildMemberships(ours: OurMembershipRow[], theirs: DistributorMembershipRow[]): Memberships {
  // Each point is named after its latest holder.
  const points = new Map(
    ours.map(({ pointId, prm, label, direction, storage }) => [pointId, { pointId, prm, label, direction, storage }]),
  )
  const dates = Map.groupBy(ours, ({ pointId }) => pointId)
  const theirsByPrm = new Map(theirs.map((row) => [`${row.prm} ${row.direction}`, row]))
  const theirDates = (pointId: string) => {
    const point = points.get(pointId)
    return point && theirsByPrm.get(`${point.prm} ${point.direction}`)
  }
  return {
    points,
    theirDates,
    inOurs: (pointId, day) => dates.get(pointId)?.some((row) => isWithinDates(row, day)) ?? false,
    inTheirs: (pointId, day) => {
      if (!theirs.length) return null
      const own = theirDates(pointId)
      return own ? isWithinDates(own, day) : false
    },
  }
}

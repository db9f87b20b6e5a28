import { listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { pointLocationSql, pointNameSql } from '../../../core/point-label.ts'
import type { Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'

/** A participation at a point that overlaps the month. */
export type ParticipationPeriod = {
  id: string
  pointId: string
  prm: string
  /** The meter with its holder, and the meter alone. */
  label: string
  place: string
  holderId: string
  holder: string
  direction: 'consumption' | 'production'
  from: string
  to: string | null
  subscribedVa: number | null
  peakWatts: number | null
}

/** Participations that overlap the month, by meter and then by start. */
export async function loadParticipationPeriods(
  db: Db,
  companyId: number,
  operationId: string,
  { from, to }: Period,
): Promise<ParticipationPeriod[]> {
  const { rows } = await db.execute<ParticipationPeriod>(sql`
    select m.id, p.id as "pointId", p.prm, ${pointNameSql(sql`p.label`, sql`n.name`)} as label, ${pointLocationSql(sql`p`)} as place, n.id as "holderId",
           n.name as holder, p.direction, m.starts_on::text as from, m.ends_on::text as to,
           p.subscribed_va as "subscribedVa", p.peak_watts as "peakWatts"
      from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id
      join participants n on n.company_id = m.company_id and n.id = m.participant_id
     where m.company_id = ${companyId} and m.operation_id = ${operationId}
       and m.starts_on < ${to} and (m.ends_on is null or m.ends_on > ${from})
     order by p.prm, p.direction, m.starts_on, m.id`)
  return rows
}

/** The days of a participation within the month. */
export const listParticipationDays = ({ from, to }: { from: string; to: string | null }, month: Period): string[] =>
  listDays(from > month.from ? from : month.from, to !== null && to < month.to ? to : month.to)

/** By point, the participation on each day of the month. */
export function mapHoldersByDay(
  holders: { id: string; pointId: string; from: string; to: string | null }[],
  days: string[],
) {
  const byPoint = new Map<string, (string | undefined)[]>()
  for (const { id, pointId, from, to } of holders) {
    const own = byPoint.get(pointId) ?? days.map(() => undefined)
    for (const [at, day] of days.entries()) if (from <= day && (to === null || day < to)) own[at] = id
    byPoint.set(pointId, own)
  }
  return byPoint
}

import type { ParticipantLine } from '@voisol/contract/participants'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'

/**
 * A battery is one meter with both directions. Charge and release must enter, leave and change holder together:
 * otherwise a part of its energy would be missing from the sums.
 */
const BATTERY_DIRECTIONS = ['consumption', 'production'] as const

type DirectionLine = Pick<ParticipantLine, 'direction' | 'storage' | 'segment'>

/**
 * Both directions of a battery, the given one first; other lines are unchanged. A segment only applies to its
 * direction.
 */
export function expandBatteryLine<T extends DirectionLine>(line: T): T[] {
  if (!line.storage) return [line]
  const { segment, ...rest } = line
  const fits = (direction: string) => segment?.startsWith(direction === 'production' ? 'P' : 'C')
  const order = line.direction === 'production' ? BATTERY_DIRECTIONS.toReversed() : [...BATTERY_DIRECTIONS]
  // TypeScript loses the generic's own fields once one is removed and added again.
  return order.map((direction) => ({ ...rest, ...(fits(direction) && { segment }), direction }) as unknown as T)
}

type PointStorage = { id: string; prm: string; storage: boolean }

/** Whether a meter is a battery can only change as long as it never took part. */
export function describeStorageConflict(
  { prm, storage }: Pick<ParticipantLine, 'prm' | 'storage'>,
  points: PointStorage[],
  participationsOfPoints: { pointId: string }[],
): string | null {
  const other = points.find((point) => point.prm === prm && storage !== undefined && point.storage !== storage)
  const ids = new Set(points.filter((point) => point.prm === prm).map(({ id }) => id))
  if (!other || !participationsOfPoints.some(({ pointId }) => ids.has(pointId))) return null
  return other.storage
    ? `Le PRM ${prm} est celui d’une batterie\u00a0: faites-la entrer comme batterie, sa charge et sa décharge ensemble.`
    : `Le PRM ${prm} prend ou a pris part à une opération sans être une batterie\u00a0: ses relevés ne peuvent pas changer de nature.`
}

const batteryParticipations = sql`participations t join points q on q.company_id = t.company_id and q.id = t.point_id and q.storage`
const isCounterpart = sql`t.company_id = m.company_id and t.operation_id = m.operation_id and t.participant_id = m.participant_id
  and q.prm = p.prm and q.direction <> p.direction and t.starts_on = m.starts_on and t.ends_on is not distinct from m.ends_on`

/** The other direction of each battery participation. */
export async function listBatteryCounterparts(tx: Db, companyId: number, ids: string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select t.id from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id and p.storage
      join (${batteryParticipations}) on ${isCounterpart}
     where m.company_id = ${companyId} and m.id = any(${sql.param(ids)}::uuid[])
     order by t.id`)
  return rows.map(({ id }) => id)
}

/** Throws when a battery takes part in one direction only, or not for the same person and days. */
export async function requireBatteryDirectionsAligned(tx: Db, companyId: number, operationId: string): Promise<void> {
  const { rows } = await tx.execute<{ prm: string }>(sql`
    select p.prm from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id and p.storage
     where m.company_id = ${companyId} and m.operation_id = ${operationId}
       and not exists (select 1 from ${batteryParticipations} where ${isCounterpart})
     order by p.prm limit 1`)
  const [unpairedPoint] = rows
  if (unpairedPoint)
    throw new AppError('conflict', {
      message: `La batterie ${unpairedPoint.prm} compte deux sens, sa charge et sa décharge\u00a0: ils entrent, sortent et changent de titulaire ensemble, aux mêmes jours.`,
    })
}

import { and, eq, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { consumesSql } from '../../../core/sides.ts'
import type { Db } from '../../../db/client.ts'
import { participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Member, type MemberSelection, requireSelectionExists } from './scope.ts'

/** The fields that sums need of a member; `count` when similar members are merged. */
export type ParticipationGroup = Pick<
  Member,
  'operationId' | 'unitPrice' | 'step' | 'direction' | 'storage' | 'startsOn' | 'endsOn' | 'pointId'
> & { count?: number }

/** Groups of each operation, in this order: consumption, production, charge and release. */
export const SIDE_COUNT = 4
export const getSideIndex = ({ direction, storage }: Pick<ParticipationGroup, 'direction' | 'storage'>) =>
  (direction === 'production' ? 1 : 0) + (storage ? 2 : 0)

/** Whole operations are read from stored rollups; a part of one, or a client's own points, from daily rows. */
export const readsWholeOperations = ({ space }: Actor, { participantId, pointId }: MemberSelection) =>
  space === 'office' && !participantId && !pointId

/** Most points consume, so only the others are looked up; members with equal dates are one group. */
async function selectParticipationGroups(db: Db, where: ReturnType<typeof and>): Promise<ParticipationGroup[]> {
  const { rows } = await db.execute<ParticipationGroup>(sql`
    select c.operation_id as "operationId", o.unit_price as "unitPrice", o.step_minutes as step, c.direction, c.storage,
           c.starts_on::text as "startsOn", c.ends_on::text as "endsOn", '' as "pointId", c.count
      from (select ${participations.companyId}, ${participations.operationId}, ${participations.startsOn}, ${participations.endsOn},
                   coalesce(d.direction, 'consumption') as direction, coalesce(d.storage, false) as storage, count(*)::int as count
              from ${participations}
              left join points d on d.company_id = ${participations.companyId} and d.id = ${participations.pointId}
               and not ${consumesSql(sql`d`)}
             where ${where} group by 1, 2, 3, 4, 5, 6) c
      join operations o on o.company_id = c.company_id and o.id = c.operation_id
     order by c.starts_on, c.operation_id`)
  return rows
}

/** The members of whole operations, grouped by equal dates: ten thousand members give a few dozen rows. */
export async function listParticipationGroups(
  db: Db,
  actor: Actor,
  { operationId }: MemberSelection,
): Promise<ParticipationGroup[]> {
  const groups = await selectParticipationGroups(
    db,
    and(
      eq(participations.companyId, actor.companyId),
      withinOperationLimit(actor, participations.operationId),
      operationId ? eq(participations.operationId, operationId) : undefined,
    ),
  )
  if (!groups.length) await requireSelectionExists(db, actor, { operationId })
  return groups
}

/** For any user, since these sums identify nobody. */
export const listParticipationGroupsOfOperations = (
  db: Db,
  companyId: number,
  operationIds: string[],
): Promise<ParticipationGroup[]> =>
  selectParticipationGroups(
    db,
    and(
      eq(participations.companyId, companyId),
      sql`${participations.operationId} = any(${sql.param(operationIds)}::uuid[])`,
    ),
  )

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { reportSchedules, reports } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/**
 * Reports whose data the user may read, within their operations. In the portal, the user's own yearly reports as
 * participant or producer.
 */
export const reportScope = (actor: Actor): SQL | undefined =>
  and(
    eq(reports.companyId, actor.companyId),
    actor.space === 'office'
      ? and(
          sql`${reports.rights} <@ ${sql.param([...actor.permissions])}::text[]`,
          withinOperationLimit(actor, reports.operationId),
        )
      : sql`(
          ${reports.participantId} in ${participantIdsOfUser(actor)}
          or ${reports.sellerId} in (select s.id from sellers s
            where s.company_id = ${actor.companyId} and s.participant_id in ${participantIdsOfUser(actor)}))`,
  )

export const scheduleScope = (actor: Actor): SQL | undefined =>
  and(eq(reportSchedules.companyId, actor.companyId), withinOperationLimit(actor, reportSchedules.operationId))

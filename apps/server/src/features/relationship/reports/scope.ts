import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { reportSchedules, reports } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/**
 * Of the company, those whose figures one may read, and within a limit those of its operations. In the portal, the years
 * of oneself, as a participant or as a producer.
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

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { mandates } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/**
 * Mandates of visible participants: the whole company, the operations the user is limited to, or one's own in the
 * portal.
 */
export const mandateScope = (actor: Actor): SQL | undefined =>
  and(
    eq(mandates.companyId, actor.companyId),
    actor.space === 'office'
      ? actor.operationIds
        ? sql`${mandates.participantId} in (select participant_id from participations
            where company_id = ${actor.companyId} and ${withinOperationLimit(actor, sql`operation_id`)})`
        : undefined
      : sql`${mandates.participantId} in ${participantIdsOfUser(actor)}`,
  )

import { and, eq, sql } from 'drizzle-orm'
import { isParticipantOfUser } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { participants, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

const hasReadableParticipation = (actor: Actor) =>
  actor.operationIds
    ? sql`exists (select 1 from ${participations} where ${participations.companyId} = ${participants.companyId}
        and ${participations.participantId} = ${participants.id} and ${withinOperationLimit(actor, participations.operationId)})`
    : undefined

/** The company's participants within the user's limit; in the portal, only oneself. */
export const consentingParticipantScope = (actor: Actor) =>
  and(
    eq(participants.companyId, actor.companyId),
    actor.space === 'office' ? hasReadableParticipation(actor) : isParticipantOfUser(actor),
  )

import { and, eq, sql } from 'drizzle-orm'
import { isHeldBy } from '../../../core/held.ts'
import { withinLimit } from '../../../core/limit.ts'
import { participants, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

const seen = (actor: Actor) =>
  actor.operationIds
    ? sql`exists (select 1 from ${participations} where ${participations.companyId} = ${participants.companyId}
        and ${participations.participantId} = ${participants.id} and ${withinLimit(actor, participations.operationId)})`
    : undefined

/** Consents are given for the company's participants, within one's limit; in the portal one speaks for oneself alone. */
export const consenterScope = (actor: Actor) =>
  and(eq(participants.companyId, actor.companyId), actor.space === 'office' ? seen(actor) : isHeldBy(actor))

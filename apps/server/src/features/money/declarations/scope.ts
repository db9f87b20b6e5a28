import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { declarations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The company's declarations; in the portal, one's own yearly statements as a participant or producer. */
export const declarationScope = (actor: Actor): SQL | undefined =>
  and(
    eq(declarations.companyId, actor.companyId),
    actor.space === 'office'
      ? undefined
      : sql`${declarations.kind} in ('participantYear', 'producerYear') and (
          ${declarations.participantId} in ${participantIdsOfUser(actor)}
          or ${declarations.sellerId} in (select s.id from sellers s
            where s.company_id = ${actor.companyId} and s.participant_id in ${participantIdsOfUser(actor)}))`,
  )

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { declarations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The company's; in the portal, the yearly statements of oneself, as a participant or as a producer. */
export const declarationScope = (actor: Actor): SQL | undefined =>
  and(
    eq(declarations.companyId, actor.companyId),
    actor.space === 'office'
      ? undefined
      : sql`${declarations.kind} in ('participantYear', 'producerYear') and (
          ${declarations.participantId} in (select id from participants
            where company_id = ${actor.companyId} and user_id = ${actor.userId})
          or ${declarations.sellerId} in (select s.id from sellers s
            join participants p on p.company_id = s.company_id and p.id = s.participant_id
            where s.company_id = ${actor.companyId} and p.user_id = ${actor.userId}))`,
  )

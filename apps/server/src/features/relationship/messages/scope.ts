import { and, eq, or, sql } from 'drizzle-orm'
import { withinLimit } from '../../../core/limit.ts'
import { messageRecipients, messages } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The company's; who is limited sees what they wrote, and what went to an operation of theirs. */
export const messageScope = (actor: Actor) =>
  and(
    eq(messages.companyId, actor.companyId),
    actor.operationIds ? or(eq(messages.authorId, actor.userId), withinLimit(actor, messages.operationId)) : undefined,
  )

/** What was written to those one reads the portal for; only what has left. */
export const mineScope = ({ companyId, userId }: Actor) =>
  and(
    eq(messageRecipients.companyId, companyId),
    sql`${messageRecipients.participantId} in (select id from participants
      where company_id = ${companyId} and user_id = ${userId})`,
  )

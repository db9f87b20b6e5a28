import { and, eq, or, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { messageRecipients, messages } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The company's; who is limited sees what went to an operation of theirs, and what they wrote: a key is not its maker. */
export const messageScope = (actor: Actor) =>
  and(
    eq(messages.companyId, actor.companyId),
    actor.operationIds
      ? or(
          withinOperationLimit(actor, messages.operationId),
          actor.kind === 'person' ? eq(messages.authorId, actor.userId) : undefined,
        )
      : undefined,
  )

/** What was written to those one reads the portal for; in the back office nothing is one's own. */
export const ownMessageScope = ({ companyId, userId, space }: Actor) =>
  and(
    eq(messageRecipients.companyId, companyId),
    space === 'portal'
      ? sql`${messageRecipients.participantId} in ${participantIdsOfUser({ companyId, userId })}`
      : sql`false`,
  )

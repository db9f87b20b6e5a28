import { and, eq, or, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { messageRecipients, messages } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/**
 * The messages of the company; a limited user sees those to their operations and their own. An API key is not its
 * creator.
 */
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

/** The messages to participants whose portal the user may open; in the back office there are none. */
export const ownMessageScope = ({ companyId, userId, space }: Actor) =>
  and(
    eq(messageRecipients.companyId, companyId),
    space === 'portal'
      ? sql`${messageRecipients.participantId} in ${participantIdsOfUser({ companyId, userId })}`
      : sql`false`,
  )

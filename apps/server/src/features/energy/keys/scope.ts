import { and, eq } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { keys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The keys of the actor's company, within the operations they are limited to. */
export const keyScope = (actor: Actor) =>
  and(eq(keys.companyId, actor.companyId), withinOperationLimit(actor, keys.operationId))
